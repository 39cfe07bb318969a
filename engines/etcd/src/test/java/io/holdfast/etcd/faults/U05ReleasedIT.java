package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** U05 and U43: what a client that released or died leaves in the store. */
@Isolated
@Timeout(120)
class U05ReleasedIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  @DisplayName("U05: nothing of a hold comes back after its release, and the next is renewed")
  void released() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=2s")) {
      for (int i = 0; i < 20; i++) {
        holdfast.lock("x").acquire(LONG).close();
        assertThat(Lines.tickets(server, "x")).isEmpty();
      }
      Hold kept = holdfast.lock("x").acquire(LONG);
      long from = System.nanoTime();
      Await.until("two leases", LONG, () -> System.nanoTime() - from > 2 * LEASE.toNanos());
      kept.ensureHeld();
      kept.close();
      assertThat(Lines.tickets(server, "x")).isEmpty();
    }
  }

  @Test
  @DisplayName(
      "U43: a leader whose lease has ended is notified, and the next one has a higher token")
  void leaders() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast a = Holdfast.connect("etcd://127.0.0.1:" + proxy.port() + "?holdfast.lease=2s");
        Holdfast b = Holdfast.connect(server.uri() + "?holdfast.lease=2s")) {
      try (var first = a.election("chief").stand(hold -> {})) {
        Await.until("it leads", LONG, first::isLeader);
        long token = first.leadership().orElseThrow().token();
        try (var second = b.election("chief").stand(hold -> {})) {
          Lines.await(server, "chief", 2);
          long cut = System.nanoTime();
          proxy.cut();
          Await.until("the other leads", LONG, second::isLeader);
          assertThat(first.isLeader()).isFalse();
          Figure.since(cut, LEASE.plusSeconds(1), "a leader cut off (lease 2 s): another leads");
          assertThat(second.leadership().orElseThrow().token()).isGreaterThan(token);
          proxy.heal();
        }
      }
    }
  }
}
