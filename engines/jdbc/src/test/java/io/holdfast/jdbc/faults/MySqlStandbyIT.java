package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Addresses of MySQL with two servers, and a server that only reads. */
@Timeout(120)
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
class MySqlStandbyIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  @DisplayName("clients go on at the second server when the first is gone, and write there")
  void secondServer() throws Exception {
    // Two ways to one server stand for a primary and the standby that took over from it.
    try (MySqlServer server = MySqlServer.start();
        FaultProxy first = FaultProxy.to(server.process());
        FaultProxy second = FaultProxy.to(server.process())) {
      server.createDatabase("app");
      String uri =
          "jdbc:mysql://127.0.0.1:%d,127.0.0.1:%d/app?user=%s"
              .formatted(first.port(), second.port(), server.user());
      try (Holdfast client = Holdfast.connect(uri + Server.LEASE)) {
        Hold before = client.lock("x").acquire(LONG);
        before.close();
        first.cut();
        long cut = System.nanoTime();
        try (Hold after = client.lock("x").acquire(LONG)) {
          Figure.within(Duration.ofSeconds(2), System.nanoTime() - cut, "MYSQL: the next grant");
          assertThat(after.token()).isGreaterThan(before.token());
        }
      }
    }
  }

  @Test
  @DisplayName("a server that only reads is unavailable, not busy, and heals")
  void onlyReads() throws Exception {
    try (MySqlServer server = MySqlServer.start()) {
      server.createDatabase("app");
      server.createUser("locks", "secret", "app");
      String uri = server.jdbcUri("app", "locks") + "&password=secret" + Server.LEASE;
      try (Holdfast client = Holdfast.connect(uri)) {
        client.lock("x").acquire(LONG).close();
        server.sql("set global read_only = 1");
        assertThatThrownBy(() -> client.lock("x").acquire(Duration.ofMillis(500)))
            .isInstanceOf(StoreUnavailableException.class)
            .hasStackTraceContaining("is read-only");
        server.sql("set global read_only = 0");
        client.lock("x").acquire(LONG).close();
      }
    }
  }
}
