package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.HeldHolds;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many locks that one client holds in the mode session. */
@Timeout(120)
class ManyHeldIT {

  private static final int HELD = 5_000;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofSeconds(60);

  @Test
  @DisplayName("take two connections at most, and are kept")
  void fewConnections() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Holdfast holdfast =
            Holdfast.connect(
                server.jdbcUri(PostgresServer.DATABASE, server.user())
                    + "&holdfast.mode=session&holdfast.lease=2s")) {
      List<CompletableFuture<Hold>> asked = new ArrayList<>();
      for (int i = 0; i < HELD; i++) {
        asked.add(holdfast.lock("held/" + i).acquireAsync(WAIT));
      }
      List<Hold> held = new ArrayList<>();
      for (CompletableFuture<Hold> each : asked) {
        held.add(each.get(60, TimeUnit.SECONDS));
      }
      long start = System.nanoTime();
      Await.until(
          "two leases", WAIT, () -> System.nanoTime() - start > LEASE.multipliedBy(2).toNanos());
      HeldHolds.requireAll(held, "session locks");
      int connections = connections(server);
      Figure.print("%,d session locks held over %d connections", HELD, connections);
      assertThat(connections).isLessThanOrEqualTo(2);
    }
  }

  private static int connections(PostgresServer server) {
    return Integer.parseInt(
        server
            .sql("select count(*) from pg_stat_activity where application_name = 'holdfast'")
            .strip());
  }
}
