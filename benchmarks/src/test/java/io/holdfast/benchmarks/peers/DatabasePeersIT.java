package io.holdfast.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.benchmarks.runners.ColdStartRunner;
import io.holdfast.cli.CliException;
import io.holdfast.cli.bench.ConnectionCount;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.cli.bench.ServerConnections;
import io.holdfast.cli.bench.StoreKind;
import io.holdfast.cli.bench.ThreadRunner;
import io.holdfast.cli.bench.Workload;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every peer over a database is a lock: alone, among threads and among clients. */
@Timeout(60)
class DatabasePeersIT {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final String DATABASE = "bench";

  private static PostgresServer postgres;
  private static MariaDbServer mariaDb;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    postgres = PostgresServer.start();
    postgres.createDatabase(DATABASE);
    mariaDb = MariaDbServer.start();
    mariaDb.createDatabase(DATABASE);
  }

  @AfterAll
  static void stop() {
    mariaDb.close();
    postgres.close();
  }

  private static String uri(StoreKind kind) {
    return kind == StoreKind.POSTGRES
        ? postgres.jdbcUri(DATABASE, postgres.user())
        : mariaDb.jdbcUri(DATABASE, mariaDb.user());
  }

  private static Contender contender(StoreKind kind, String name) {
    return ContenderSpec.peer(name, uri(kind)).contender();
  }

  private static String sql(StoreKind kind, String statement) {
    return kind == StoreKind.POSTGRES
        ? postgres.sql(DATABASE, statement)
        : mariaDb.sql(DATABASE, statement);
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, spring-jdbc",
    "POSTGRES, shedlock",
    "POSTGRES, raw-row",
    "POSTGRES, raw-advisory",
    "MARIADB, spring-jdbc",
    "MARIADB, shedlock",
    "MARIADB, raw-row"
  })
  void a_second_caller_waits_until_the_first_has_released(StoreKind kind, String name)
      throws Exception {
    long token = PeerRules.aSecondCallerWaits(contender(kind, name), name, folder);
    assertThat(token).isEqualTo(Contender.Caller.NO_TOKEN);
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, spring-jdbc, INT_LOCK",
    "POSTGRES, raw-row, bench_raw",
    "MARIADB, spring-jdbc, INT_LOCK",
    "MARIADB, raw-row, bench_raw"
  })
  void a_lock_that_was_lost_cannot_be_released(StoreKind kind, String name, String table)
      throws Exception {
    try (Contender.Session session = contender(kind, name).open(folder)) {
      Contender.Caller caller = session.caller();
      caller.acquire(name + "/lost");
      sql(kind, "delete from " + table);
      assertThatThrownBy(caller::release).isInstanceOf(RuntimeException.class);
    }
  }

  /** Not our bug, but it explains why a run cannot see it: the ledger must. */
  @ParameterizedTest
  @CsvSource({"POSTGRES", "MARIADB"})
  void shedlock_does_not_say_that_a_lock_was_lost(StoreKind kind) throws Exception {
    try (Contender.Session session = contender(kind, Peers.SHEDLOCK).open(folder)) {
      Contender.Caller caller = session.caller();
      caller.acquire("shedlock/lost");
      sql(kind, "delete from shedlock");
      caller.release();
    }
  }

  @Test
  void a_lock_of_a_session_is_lost_with_it() throws Exception {
    Contender contender = contender(StoreKind.POSTGRES, Peers.RAW_ADVISORY);
    try (Contender.Session session = contender.open(folder)) {
      Contender.Caller caller = session.caller();
      caller.acquire("advisory/lost");
      assertThat(postgres.terminateBackends()).isPositive();
      assertThatThrownBy(caller::release).isInstanceOf(Exception.class);
    }
  }

  @Test
  void there_are_no_locks_of_sessions_over_mariadb() {
    assertThatThrownBy(() -> contender(StoreKind.MARIADB, Peers.RAW_ADVISORY))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("jdbc:postgresql:");
  }

  @ParameterizedTest
  @CsvSource({"POSTGRES", "MARIADB"})
  void rows_expire_after_the_lease(StoreKind kind) throws Exception {
    Duration brief = Duration.ofMillis(700);
    Contender contender = Peers.named(Peers.RAW_ROW, uri(kind), brief);
    try (Contender.Session session = contender.open(folder)) {
      Contender.Caller dead = session.caller();
      Contender.Caller next = session.caller();
      dead.acquire("expiry");
      long start = System.nanoTime();
      next.acquire("expiry");
      assertThat(System.nanoTime() - start).isGreaterThan(brief.toNanos() / 2);
      assertThatThrownBy(dead::release).hasMessageContaining("lost");
      next.release();
    }
  }

  @ParameterizedTest
  @CsvSource({"POSTGRES, 10", "MARIADB, 10"})
  void connections_are_told_apart_by_whose_turn_it_was(StoreKind kind, int size) throws Exception {
    Supplier<Set<String>> clients = ServerConnections.at(uri(kind)).orElseThrow();
    Contender contender = contender(kind, Peers.SPRING_JDBC);
    ConnectionCount count = new ConnectionCount(Optional.of(clients));
    try (Contender.Session other = contender.open(folder)) {
      assertThat(clients.get()).hasSizeGreaterThanOrEqualTo(size);
      count.begin();
      try (Contender.Session session = contender.open(folder)) {
        // A server may still show the connection that asked before.
        Await.until("a pool of " + size, LEASE, () -> count.look().orElseThrow() == size);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, spring-jdbc",
    "POSTGRES, shedlock",
    "MARIADB, shedlock",
    "MARIADB, raw-row"
  })
  void three_processes_keep_apart(StoreKind kind, String name) throws Exception {
    PeerRules.threeProcessesKeepApart(ContenderSpec.peer(name, uri(kind)), folder);
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, spring-jdbc",
    "POSTGRES, shedlock",
    "POSTGRES, raw-row",
    "POSTGRES, raw-advisory",
    "MARIADB, spring-jdbc",
    "MARIADB, shedlock",
    "MARIADB, raw-row"
  })
  void short_rounds_of_many_threads_have_no_faults(StoreKind kind, String name) throws Exception {
    Contender.Session session = contender(kind, name).open(folder);
    try (RoundRunner runner = new ThreadRunner(session, Workload.own("own", 40, Duration.ZERO))) {
      Sample sample = runner.run(Duration.ofMillis(300));
      assertThat(sample.faults()).isEmpty();
      assertThat(sample.shares()).allMatch(share -> share > 0);
      System.out.printf("figure: %s, %s, 40 threads: %.0f/s%n", kind, name, sample.opsPerSecond());
    }
  }

  @Test
  void a_cold_process_says_when_it_got_its_first_lock() throws Exception {
    ContenderSpec spec = ContenderSpec.peer(Peers.RAW_ROW, uri(StoreKind.POSTGRES));
    try (RoundRunner runner = new ColdStartRunner(spec, "cold", folder)) {
      Sample sample = runner.run(Duration.ZERO);
      assertThat(sample.ops()).isEqualTo(1);
      assertThat(sample.waits().longest()).isPositive();
    }
  }
}
