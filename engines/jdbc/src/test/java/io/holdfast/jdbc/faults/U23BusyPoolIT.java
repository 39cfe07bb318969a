package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.HeldHolds;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that have taken every connection of the program's pool, and then want locks. */
@Timeout(120)
class U23BusyPoolIT {

  private static final int THREADS = 8;
  private static final int HELD = 2_000;
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration WAIT = Duration.ofSeconds(30);

  @ParameterizedTest
  @EnumSource
  @DisplayName("all of them finish; many locks that are held take no more connections than one")
  void allFinish(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        HikariDataSource pool = pool(server.url());
        Holdfast holdfast = Holdfast.connect(server.uri())) {
      server.run("create table work (n int not null)");
      CyclicBarrier allTaken = new CyclicBarrier(THREADS);
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try {
        long start = System.nanoTime();
        List<Future<Boolean>> all = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          Callable<Boolean> body = () -> work(pool, holdfast, allTaken);
          all.add(threads.submit(body));
        }
        for (Future<Boolean> each : all) {
          assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
        }
        Figure.print(
            "%s: %d threads with all %d connections of a pool: all done after %,d ms",
            kind, THREADS, THREADS, (System.nanoTime() - start) / 1_000_000);
      } finally {
        threads.shutdownNow();
      }
      assertThat(server.number("select count(*) from work")).isEqualTo(THREADS);
      heldTakeNone(kind, server, holdfast);
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(THREADS);
    config.setConnectionTimeout(20_000);
    return new HikariDataSource(config);
  }

  private static boolean work(HikariDataSource pool, Holdfast holdfast, CyclicBarrier allTaken)
      throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      allTaken.await(60, TimeUnit.SECONDS);
      try (Hold hold = holdfast.lock("shared").acquire(WAIT)) {
        statement.execute("insert into work values (1)");
        connection.commit();
        return hold.isHeld();
      }
    }
  }

  /** Locks that are held are renewed in batches over the few connections that there are. */
  private static void heldTakeNone(Server.Kind kind, Server server, Holdfast holdfast)
      throws Exception {
    List<CompletableFuture<Hold>> asked = new ArrayList<>();
    // One that a busy machine can keep, with what else runs on it.
    Holdfast steady = holdfast.with(o -> o.withLease(LEASE));
    for (int i = 0; i < HELD; i++) {
      asked.add(steady.lock("held/" + i).acquireAsync(WAIT));
    }
    List<Hold> held = new ArrayList<>();
    for (CompletableFuture<Hold> each : asked) {
      held.add(each.get(60, TimeUnit.SECONDS));
    }
    long start = System.nanoTime();
    Await.until(
        "two leases", WAIT, () -> System.nanoTime() - start > LEASE.multipliedBy(2).toNanos());
    HeldHolds.requireAll(held, "locks beside a busy pool");
    Figure.print(
        "%s: %,d locks held for two leases over %d connections",
        kind, HELD, connections(server) - THREADS);
    assertThat(connections(server) - THREADS).isLessThanOrEqualTo(4);
  }

  /** Of clients, but for the one that asks. */
  private static long connections(Server server) throws Exception {
    return server.number(
            server.kind() == Server.Kind.POSTGRESQL
                ? "select count(*) from pg_stat_activity where backend_type = 'client backend'"
                : "select count(*) from information_schema.processlist where command <> 'Daemon'")
        - 1;
  }
}
