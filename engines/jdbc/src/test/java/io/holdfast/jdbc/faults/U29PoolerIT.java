package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.PgBouncer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients behind a pooler that has fewer sessions than they have connections. */
@Timeout(120)
class U29PoolerIT {

  private static final int CLIENTS = 4;
  private static final int TURNS = 15;
  private static final int SESSIONS = 3;
  private static final Duration WAIT = Duration.ofSeconds(60);

  private final AtomicInteger inside = new AtomicInteger();

  @Test
  @DisplayName("locks exclude, are renewed, and none is stranded in a session of the pooler")
  void excludes() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION, SESSIONS)) {
      String uri = pooler.jdbcUri(PostgresServer.DATABASE, pooler.user()) + Server.LEASE;
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      long start = System.nanoTime();
      try (Holdfast keeper = Holdfast.connect(uri)) {
        Hold kept = keeper.lock("kept").acquire(WAIT);
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          Callable<Boolean> body = () -> turns(uri);
          all.add(threads.submit(body));
        }
        for (Future<Boolean> each : all) {
          assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
        }
        kept.ensureHeld();
        assertThat(kept.release().toString()).isEqualTo("RELEASED");
      } finally {
        threads.shutdownNow();
      }
      assertThat(server.sql("select count(*) from holdfast_lock where ticket is not null"))
          .isEqualTo("0");
      Figure.print(
          "behind a pooler with %d sessions: %d turns of %d clients in %,d ms",
          SESSIONS, CLIENTS * TURNS, CLIENTS, (System.nanoTime() - start) / 1_000_000);
    }
  }

  private boolean turns(String uri) throws Exception {
    try (Holdfast client = Holdfast.connect(uri)) {
      for (int i = 0; i < TURNS; i++) {
        try (Hold hold = client.lock("shared").acquire(WAIT)) {
          assertThat(inside.incrementAndGet()).isEqualTo(1);
          hold.ensureHeld();
          inside.decrementAndGet();
        }
      }
      return true;
    }
  }
}
