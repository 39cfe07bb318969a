package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgresPairIT {
  private static final Duration BOUND = Duration.ofSeconds(5);
  private static final Duration START = Duration.ofSeconds(5);
  private static final Duration PROMOTION = Duration.ofSeconds(1);

  private LeakCheck before;

  @BeforeEach
  void takeStock() {
    before = LeakCheck.baseline(Inventory.threads());
  }

  @AfterEach
  void no_thread_is_left() {
    before.awaitReturn(BOUND).requireClean(1);
  }

  @Test
  void a_promotion_loses_exactly_what_was_not_replicated() {
    try (PostgresPair pair =
        Figure.within(START, "a PostgreSQL pair started", () -> PostgresPair.start())) {
      PostgresServer primary = pair.primary();
      primary.sql("CREATE TABLE t (v text); INSERT INTO t VALUES ('before')");
      pair.loseReplication();
      primary.sql("INSERT INTO t VALUES ('lost')");
      assertThat(primary.sql("SELECT v FROM t ORDER BY v")).isEqualTo("before\nlost");
      assertThat(primary.sql("SELECT state FROM pg_stat_replication")).isEqualTo("streaming");

      PostgresServer promoted =
          Figure.within(PROMOTION, "kill -9 and promotion", () -> pair.failover());
      assertThat(promoted).isSameAs(pair.standby());
      assertThat(primary.process().isRunning()).isFalse();
      assertThat(promoted.sql("SELECT v FROM t")).isEqualTo("before");
      promoted.sql("INSERT INTO t VALUES ('after')");
      promoted.process().restart();
      assertThat(promoted.sql("SELECT v FROM t")).isEqualTo("before\nafter");
    }
  }

  @Test
  void the_standby_follows_refuses_writes_and_catches_up_when_replication_is_healed() {
    try (PostgresPair pair = PostgresPair.start()) {
      assertThat(pair.jdbcUri("app"))
          .isEqualTo(
              "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/app?targetServerType=primary",
              pair.primary().port(), pair.standby().port());
      assertThat(pair.servers()).extracting(PostgresServer::isStandby).containsExactly(false, true);
      pair.primary().sql("CREATE TABLE t (v text)");
      pair.standby().awaitInSync(pair.primary());
      assertThatThrownBy(() -> pair.standby().sql("INSERT INTO t VALUES ('x')"))
          .hasMessageContaining("read-only transaction");

      pair.loseReplication();
      pair.primary().sql("INSERT INTO t VALUES ('late')");
      assertThat(pair.standby().sql("SELECT v FROM t")).isEmpty();
      Figure.within(PROMOTION, "a healed standby caught up", pair::healReplication);
      assertThat(pair.standby().sql("SELECT v FROM t")).isEqualTo("late");
    }
  }

  @Test
  void after_a_promotion_a_first_primary_that_is_well_is_a_second_one() {
    try (PostgresPair pair = PostgresPair.start()) {
      assertThat(pair.promote()).isSameAs(pair.standby());
      assertThat(pair.servers()).noneMatch(PostgresServer::isStandby);
      pair.servers().forEach(server -> server.sql("CREATE TABLE t (v text)"));
    }
  }

  @Test
  void a_primary_that_asks_for_acknowledgement_waits_while_replication_is_lost() {
    PostgresServerOptions synchronous =
        PostgresServerOptions.PLAIN.with("synchronous_standby_names", "*");
    try (PostgresPair pair = PostgresPair.start(synchronous);
        SqlSession session = SqlSession.open(pair.primary())) {
      assertThat(session.answer()).isEqualTo("ready");
      pair.primary().sql("CREATE TABLE t (v text)");
      pair.loseReplication();
      session.say("INSERT INTO t VALUES ('slow') RETURNING v;");
      Await.until(
          "a commit that waits for the standby",
          BOUND,
          () ->
              pair.primary()
                  .sql("SELECT wait_event FROM pg_stat_activity WHERE query LIKE 'INSERT%'")
                  .equals("SyncRep"));
      pair.healReplication();
      assertThat(session.answer()).isEqualTo("slow");
    }
  }
}
