package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guard with several addresses, several namespaces, and the address of its locks. */
@Timeout(120)
class GuardMembersIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static EtcdServer server;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  @DisplayName("a member that refuses connections is passed over, also by a write")
  void refusing() {
    try (FaultProxy gone = FaultProxy.to(server.process())) {
      gone.cut();
      try (EtcdFenceGuard guard = guard(gone)) {
        guard.claim("refusing", 5, "a");
        assertThatThrownBy(() -> guard.claim("refusing", 4, "b"))
            .isInstanceOf(StaleTokenException.class);
      }
      try (EtcdFenceGuard guard = guard(gone)) {
        guard.run("written", 5, "a", true, java.util.List.of(GuardedWrite.put("data", "1")));
        assertThat(server.ctl("get", "data")).contains("1");
      }
    }
  }

  @Test
  @DisplayName("a member that hangs is passed over by a claim")
  void hanging() {
    try (FaultProxy hung = FaultProxy.to(server.process())) {
      hung.blackHole();
      try (EtcdFenceGuard guard = guard(hung)) {
        Figure.within(
            Duration.ofSeconds(3),
            "a member hangs: the guard's claim is through",
            () -> guard.claim("hanging", 5, "a"));
        Figure.within(
            Duration.ofMillis(200),
            "a member hangs: the guard's next claim is through",
            () -> guard.claim("hanging", 6, "b"));
      }
    }
  }

  @Test
  @DisplayName("two holds of one name in two namespaces do not refuse each other")
  void namespaces() throws Exception {
    String address = server.uri() + "?holdfast.lease=9s&holdfast.namespace=one";
    try (Holdfast one = Holdfast.connect(address);
        EtcdFenceGuard guard = EtcdFenceGuard.connect(address)) {
      Holdfast two = one.with(o -> o.withNamespace("two"));
      Hold first = one.lock("x").acquire(LONG);
      Hold second = two.lock("x").acquire(LONG);
      guard.run(second, GuardedWrite.put("n2", "2"));
      guard.run(first, GuardedWrite.put("n1", "1"));
      guard.runWhileHeld(first, GuardedWrite.put("n1", "1"));
      guard.claim(second);
      guard.admit(first);
      first.close();
      second.close();
    }
  }

  private static EtcdFenceGuard guard(FaultProxy first) {
    return EtcdFenceGuard.connect(
        "etcd://127.0.0.1:" + first.port() + ",127.0.0.1:" + server.port());
  }
}
