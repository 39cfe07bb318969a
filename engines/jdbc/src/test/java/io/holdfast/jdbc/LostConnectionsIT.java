package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that the server ends cost a trip, and neither holds nor acquires. */
@Timeout(120)
class LostConnectionsIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final int TIMES = 5;

  /** Ends all connections and answers how many there were. */
  private interface Cut {
    int now();
  }

  @Test
  void on_postgresql() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      survives(server.jdbcUri(PostgresServer.DATABASE, server.user()), server::terminateBackends);
    }
  }

  @Test
  void on_mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      survives(server.jdbcUri("app", server.user()), server::terminateConnections);
    }
  }

  private static void survives(String url, Cut cut) throws Exception {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(6));
    try (Holdfast mine = Holdfast.connect(url, options);
        Holdfast theirs = Holdfast.connect(url, options)) {
      Hold held = mine.lock("held").acquire(WAIT);
      for (int i = 0; i < TIMES; i++) {
        Hold hold = mine.lock("a").acquire(WAIT);
        CompletableFuture<Hold> waits = theirs.lock("a").acquireAsync(WAIT);
        assertThat(cut.now()).isPositive();
        hold.release();
        Hold next = waits.get();
        assertThat(next.token()).isGreaterThan(hold.token());
        next.release();
        held.ensureHeld();
      }
      Duration before = held.remaining();
      Await.until(
          "it is renewed over new connections",
          Duration.ofSeconds(10),
          () -> held.remaining().compareTo(before) > 0);
      held.release();
    }
  }
}
