package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.process.LaunchSpec;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.process.ProcState;
import io.holdfast.rig.time.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MariaDbServerIT {
  private static final Duration BOUND = Duration.ofSeconds(5);
  // The first one in a JVM makes the data that the others copy.
  private static final Duration FIRST_START = Duration.ofSeconds(6);
  private static final Duration START = Duration.ofSeconds(2);

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
    MariaDbServer mariadb =
        Figure.within(FIRST_START, "MariaDB started", () -> MariaDbServer.start());
    ProcessHandle process = ProcessHandle.of(mariadb.process().pid()).orElseThrow();
    Path folder = mariadb.process().folder();
    String expected = LaunchSpec.asRoot() ? "mysql" : System.getProperty("user.name");
    assertThat(Files.getOwner(Path.of("/proc/" + process.pid())).getName()).isEqualTo(expected);
    assertThat(folder.resolve("socket")).exists();
    assertThat(mariadb.sql("SELECT 1, 'värde'; SELECT 2")).isEqualTo("1\tvärde\n2");
    assertThat(mariadb.sql("SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
    assertThat(mariadb.sql("SELECT current_user()")).isEqualTo(mariadb.user() + "@%");
    assertThat(mariadb.jdbcUri("app"))
        .isEqualTo("jdbc:mariadb://127.0.0.1:" + mariadb.port() + "/app");
    Figure.within(START, "MariaDB stopped", mariadb::close);
    mariadb.close();
    assertThat(process.isAlive()).isFalse();
    assertThat(Ports.isFree(mariadb.port())).isTrue();
    assertThat(folder).doesNotExist();
  }

  @Test
  void what_was_committed_survives_kill_9_and_a_restart_has_the_same_port_and_folder() {
    try (MariaDbServer mariadb =
        Figure.within(FIRST_START, "MariaDB started", () -> MariaDbServer.start())) {
      int port = mariadb.port();
      mariadb.createDatabase("app");
      mariadb.sql("app", "CREATE TABLE t (v int); INSERT INTO t VALUES (7)");
      mariadb.process().kill9();
      assertThatThrownBy(() -> mariadb.sql("SELECT 1")).hasMessageContaining("connect");
      Figure.within(START, "a killed MariaDB restarted", mariadb.process()::restart);
      assertThat(mariadb.sql("app", "SELECT v FROM t")).isEqualTo("7");
      mariadb.process().restart();
      assertThat(mariadb.sql("app", "SELECT v FROM t")).isEqualTo("7");
      assertThat(mariadb.port()).isEqualTo(port);
    }
  }

  @Test
  void a_paused_server_goes_on_and_can_be_closed() {
    try (MariaDbServer mariadb = MariaDbServer.start(MariaDbServerOptions.PLAIN.withoutFsync())) {
      ProcessHandle process = ProcessHandle.of(mariadb.process().pid()).orElseThrow();
      mariadb.process().pause();
      assertThat(ProcState.isStopped(process)).isTrue();
      mariadb.process().resume();
      assertThat(mariadb.sql("SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("2");
      mariadb.process().pause();
    }
  }

  @Test
  void connections_are_terminated() {
    try (MariaDbServer mariadb = MariaDbServer.start();
        SqlSession session = SqlSession.open(mariadb)) {
      assertThat(session.answer()).isEqualTo("ready");
      assertThat(mariadb.terminateConnections()).isEqualTo(1);
      assertThat(mariadb.terminateConnections()).isZero();
    }
  }

  @Test
  void a_user_with_a_password_has_to_show_it() {
    try (MariaDbServer mariadb = MariaDbServer.start()) {
      mariadb.createDatabase("app");
      mariadb.createUser("guarded", "it's s3cret", "app");
      assertThat(loginAs(mariadb, "guarded", "it's s3cret").run("SELECT current_user()"))
          .isEqualTo("guarded@%");
      assertThatThrownBy(() -> loginAs(mariadb, "guarded", "guess").run("SELECT 1"))
          .hasMessageContaining("Access denied");
      assertThatThrownBy(() -> mariadb.createUser("guarded", "s3cret", "app"))
          .hasMessageContaining("CREATE USER failed")
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void a_failed_statement_is_quoted_with_the_words_of_the_server() {
    try (MariaDbServer mariadb = MariaDbServer.start()) {
      assertThatThrownBy(() -> mariadb.sql("SELECT * FROM nowhere; SELECT 2"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("mariadb on port " + mariadb.port() + ", database mysql")
          .hasMessageContaining("nowhere' doesn't exist")
          .hasMessageContaining("SELECT * FROM nowhere");
    }
  }

  @Test
  void never_takes_a_stranger_on_its_port_for_the_server() {
    try (MariaDbServer stranger = MariaDbServer.start()) {
      MariaDbServerOptions same = MariaDbServerOptions.PLAIN.withPort(stranger.port());
      assertThatThrownBy(() -> MariaDbServer.start(same))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Address already in use");
    }
  }

  @Test
  void a_bad_argument_is_quoted_from_the_log() {
    assertThatThrownBy(() -> MariaDbServer.start("--no-such-argument=1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-argument");
  }

  @Test
  void its_wall_clock_can_be_stepped() {
    assumeThat(ServerClock.isAvailable()).as("gcc, for the clock of servers").isTrue();
    try (ServerClock clock = ServerClock.create();
        MariaDbServer mariadb = MariaDbServer.start(MariaDbServerOptions.PLAIN.withClock(clock))) {
      assertThat(ahead(mariadb)).isBetween(Duration.ofSeconds(-5), Duration.ofSeconds(5));
      clock.step(Duration.ofSeconds(60));
      assertThat(ahead(mariadb)).isBetween(Duration.ofSeconds(55), Duration.ofSeconds(65));
      clock.step(Duration.ofSeconds(-90));
      assertThat(ahead(mariadb)).isBetween(Duration.ofSeconds(-35), Duration.ofSeconds(-25));
      mariadb.process().restart();
      assertThat(ahead(mariadb)).isBetween(Duration.ofSeconds(-35), Duration.ofSeconds(-25));
    }
  }

  private static Duration ahead(MariaDbServer mariadb) {
    String millis = "SELECT cast(unix_timestamp(now(6)) * 1000 AS integer)";
    return Duration.between(
        Instant.now(), Instant.ofEpochMilli(Long.parseLong(mariadb.sql(millis))));
  }

  private static SqlShell loginAs(MariaDbServer mariadb, String user, String password) {
    List<String> command =
        MariaDbPrograms.client("test", mariadb.port(), "app").command().stream()
            .map(word -> word.startsWith("--user=") ? "--user=" + user : word)
            .toList();
    return new SqlShell("test", command, Map.of("MYSQL_PWD", password));
  }
}
