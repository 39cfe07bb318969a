package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.process.LaunchSpec;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.time.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PgBouncerIT {
  private static final Duration BOUND = Duration.ofSeconds(5);
  private static final Duration START = Duration.ofSeconds(1);

  private static PostgresServer postgres;

  private LeakCheck before;

  @BeforeAll
  static void start() {
    postgres = PostgresServer.start();
    postgres.createDatabase("app");
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @BeforeEach
  void takeStock() {
    before = LeakCheck.baseline(Inventory.threads());
  }

  @AfterEach
  void no_thread_is_left() {
    before.awaitReturn(BOUND).requireClean(1);
  }

  @Test
  void starts_answers_and_leaves_nothing_behind() throws IOException {
    PgBouncer bouncer =
        Figure.within(
            START,
            "PgBouncer started",
            () -> PgBouncer.start(postgres, PgBouncer.PoolMode.TRANSACTION));
    ProcessHandle process = ProcessHandle.of(bouncer.process().pid()).orElseThrow();
    String expected = LaunchSpec.asRoot() ? "postgres" : System.getProperty("user.name");
    assertThat(Files.getOwner(Path.of("/proc/" + process.pid())).getName()).isEqualTo(expected);
    assertThat(bouncer.sql("app", "SELECT current_user, current_database()"))
        .isEqualTo(bouncer.user() + "|app");
    assertThat(bouncer.jdbcUri("app"))
        .isEqualTo("jdbc:postgresql://127.0.0.1:" + bouncer.port() + "/app");
    assertThat(bouncer.console("SHOW DATABASES")).contains("app|127.0.0.1|" + postgres.port());
    bouncer.close();
    bouncer.close();
    assertThat(process.isAlive()).isFalse();
    assertThat(Ports.isFree(bouncer.port())).isTrue();
    assertThat(bouncer.process().folder()).doesNotExist();
  }

  @Test
  void in_transaction_mode_clients_share_a_connection_with_its_advisory_locks() {
    try (PgBouncer bouncer = PgBouncer.start(postgres, PgBouncer.PoolMode.TRANSACTION, 1);
        SqlSession one = SqlSession.open(bouncer);
        SqlSession other = SqlSession.open(bouncer)) {
      assertThat(one.answer()).isEqualTo(other.answer()).isEqualTo("ready");
      one.say("SELECT pg_try_advisory_lock(7);");
      assertThat(one.answer()).isEqualTo("t");
      other.say("SELECT pg_try_advisory_lock(7);");
      assertThat(other.answer()).isEqualTo("t");
    }
  }

  @Test
  void in_session_mode_each_client_has_its_own() {
    try (PgBouncer bouncer = PgBouncer.start(postgres, PgBouncer.PoolMode.SESSION);
        SqlSession one = SqlSession.open(bouncer);
        SqlSession other = SqlSession.open(bouncer)) {
      assertThat(one.answer()).isEqualTo(other.answer()).isEqualTo("ready");
      one.say("SELECT pg_try_advisory_lock(8);");
      assertThat(one.answer()).isEqualTo("t");
      other.say("SELECT pg_try_advisory_lock(8);");
      assertThat(other.answer()).isEqualTo("f");
    }
  }

  @Test
  void a_killed_one_can_be_started_again() {
    try (PgBouncer bouncer = PgBouncer.start(postgres, PgBouncer.PoolMode.SESSION)) {
      bouncer.process().kill9();
      assertThatThrownBy(() -> bouncer.sql("app", "SELECT 1")).hasMessageContaining("refused");
      bouncer.process().restart();
      assertThat(bouncer.sql("app", "SELECT 1")).isEqualTo("1");
    }
  }
}
