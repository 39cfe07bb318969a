package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.time.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

@Timeout(120)
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
class MySqlServerIT {
  private static final Duration BOUND = Duration.ofSeconds(5);
  // The first one in a JVM makes the data that the others copy.
  private static final Duration FIRST_START = Duration.ofSeconds(12);
  private static final Duration START = Duration.ofSeconds(4);

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
  void starts_answers_and_leaves_nothing_behind() throws IOException {
    MySqlServer mysql = Figure.within(FIRST_START, "MySQL started", () -> MySqlServer.start());
    ProcessHandle process = ProcessHandle.of(mysql.process().pid()).orElseThrow();
    Path folder = mysql.process().folder();
    assertThat(Files.getOwner(Path.of("/proc/" + process.pid())).getName())
        .isEqualTo(System.getProperty("user.name"));
    assertThat(mysql.sql("SELECT version()")).doesNotContain("MariaDB");
    assertThat(mysql.sql("SELECT 1, 'värde'; SELECT 2")).isEqualTo("1\tvärde\n2");
    assertThat(mysql.sql("SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
    assertThat(mysql.sql("SELECT current_user()")).isEqualTo(mysql.user() + "@%");
    assertThat(mysql.jdbcUri("app")).isEqualTo("jdbc:mysql://127.0.0.1:" + mysql.port() + "/app");
    Figure.within(START, "MySQL stopped", mysql::close);
    mysql.close();
    assertThat(process.isAlive()).isFalse();
    assertThat(Ports.isFree(mysql.port())).isTrue();
    assertThat(folder).doesNotExist();
  }

  @Test
  void what_was_committed_survives_kill_9_and_a_restart_has_the_same_port() {
    try (MySqlServer mysql = MySqlServer.start()) {
      int port = mysql.port();
      mysql.createDatabase("app");
      mysql.sql("app", "CREATE TABLE t (v int); INSERT INTO t VALUES (7)");
      mysql.process().kill9();
      assertThatThrownBy(() -> mysql.sql("SELECT 1")).hasMessageContaining("connect");
      Figure.within(START, "a killed MySQL restarted", mysql.process()::restart);
      assertThat(mysql.sql("app", "SELECT v FROM t")).isEqualTo("7");
      assertThat(mysql.port()).isEqualTo(port);
    }
  }

  @Test
  void all_connections_can_be_ended_and_a_user_needs_the_password() {
    try (MySqlServer mysql = MySqlServer.start("--max-connections=20")) {
      mysql.createDatabase("app");
      mysql.createUser("plain", "s3'cret", "app");
      assertThat(mysql.sql("SELECT @@max_connections")).isEqualTo("20");
      assertThat(mysql.sql("SELECT plugin FROM mysql.user WHERE user = 'plain'"))
          .isEqualTo("caching_sha2_password");
      assertThatThrownBy(() -> mysql.createUser("plain", "s3'cret", "app"))
          .hasMessageContaining("CREATE USER")
          .hasMessageNotContaining("cret");
      assertThat(mysql.terminateConnections()).isZero();
    }
  }

  @Test
  void its_clock_can_be_stepped() {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock clock = ServerClock.create();
        MySqlServer mysql = MySqlServer.start(MySqlServerOptions.PLAIN.withClock(clock))) {
      clock.step(Duration.ofHours(3));
      double seconds = Double.parseDouble(mysql.sql("SELECT unix_timestamp(now(6))"));
      assertThat(seconds - Instant.now().getEpochSecond()).isBetween(10_790.0, 10_810.0);
    }
  }
}
