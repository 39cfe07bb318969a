package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MariaDbPairIT {
  private static final Duration BOUND = Duration.ofSeconds(5);
  private static final Duration START = Duration.ofSeconds(8);
  private static final Duration PROMOTION = Duration.ofSeconds(2);

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
    try (MariaDbPair pair =
        Figure.within(START, "a MariaDB pair started", () -> MariaDbPair.start())) {
      assertThat(pair.jdbcUri("app"))
          .isEqualTo(
              "jdbc:mariadb:sequential://127.0.0.1:%d,127.0.0.1:%d/app",
              pair.primary().port(), pair.standby().port());
      MariaDbServer primary = pair.primary();
      primary.createDatabase("app");
      primary.sql("app", "CREATE TABLE t (v text); INSERT INTO t VALUES ('before')");
      pair.loseReplication();
      primary.sql("app", "INSERT INTO t VALUES ('lost')");
      assertThat(pair.servers())
          .extracting(server -> server.sql("SELECT @@read_only"))
          .containsExactly("0", "1");
      assertThat(pair.standby().sql("app", "SELECT v FROM t")).isEqualTo("before");

      MariaDbServer promoted =
          Figure.within(PROMOTION, "kill -9 and promotion", () -> pair.failover());
      assertThat(promoted).isSameAs(pair.standby());
      assertThat(primary.process().isRunning()).isFalse();
      assertThat(promoted.sql("SELECT @@read_only")).isEqualTo("0");
      promoted.sql("app", "INSERT INTO t VALUES ('after')");
      assertThat(promoted.sql("app", "SELECT v FROM t")).isEqualTo("before\nafter");
    }
  }

  @Test
  void the_replica_catches_up_when_replication_is_healed() {
    try (MariaDbPair pair = MariaDbPair.start()) {
      pair.primary().createDatabase("app");
      pair.primary().sql("app", "CREATE TABLE t (v text)");
      pair.loseReplication();
      pair.primary().sql("app", "INSERT INTO t VALUES ('late')");
      assertThat(pair.standby().sql("app", "SELECT v FROM t")).isEmpty();
      Figure.within(BOUND, "a healed replica caught up", pair::healReplication);
      assertThat(pair.standby().sql("app", "SELECT v FROM t")).isEqualTo("late");
    }
  }
}
