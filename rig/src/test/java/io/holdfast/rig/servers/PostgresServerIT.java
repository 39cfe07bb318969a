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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgresServerIT {
  private static final Duration BOUND = Duration.ofSeconds(5);
  // The first one in a JVM makes the data that the others copy.
  private static final Duration FIRST_START = Duration.ofSeconds(3);
  private static final Duration START = Duration.ofSeconds(1);

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
  void starts_answers_and_leaves_nothing_behind() {
    PostgresServer postgres =
        Figure.within(FIRST_START, "PostgreSQL started", () -> PostgresServer.start());
    List<ProcessHandle> family = family(postgres);
    Path folder = postgres.process().folder();
    assertThat(postgres.sql("SELECT 1, 'värde'; SELECT 2")).isEqualTo("1|värde\n2");
    assertThat(postgres.sql("SHOW fsync")).isEqualTo("on");
    assertThat(postgres.sql("SELECT current_user")).isEqualTo(postgres.user());
    assertThat(postgres.jdbcUri("app"))
        .isEqualTo("jdbc:postgresql://127.0.0.1:" + postgres.port() + "/app");
    assertThat(folder).isDirectory();
    Figure.within(START, "PostgreSQL stopped", postgres::close);
    postgres.close();
    assertThat(family).hasSizeGreaterThan(3).allMatch(ProcState::isGone);
    assertThat(Ports.isFree(postgres.port())).isTrue();
    assertThat(folder).doesNotExist();
  }

  @Test
  void what_was_committed_survives_kill_9_and_a_restart_has_the_same_port_and_folder() {
    try (PostgresServer postgres =
        Figure.within(FIRST_START, "PostgreSQL started", () -> PostgresServer.start())) {
      int port = postgres.port();
      postgres.createDatabase("app");
      postgres.sql("app", "CREATE TABLE t (v int); INSERT INTO t VALUES (7)");
      List<ProcessHandle> family = family(postgres);
      postgres.process().kill9();
      assertThat(family).allMatch(ProcState::isGone);
      assertThatThrownBy(() -> postgres.sql("SELECT 1")).hasMessageContaining("refused");
      Figure.within(START, "a killed PostgreSQL restarted", postgres.process()::restart);
      assertThat(postgres.sql("app", "SELECT v FROM t")).isEqualTo("7");
      postgres.process().restart();
      assertThat(postgres.sql("app", "SELECT v FROM t")).isEqualTo("7");
      assertThat(postgres.port()).isEqualTo(port);
    }
  }

  @Test
  void a_killed_server_leaves_no_shared_memory() throws IOException {
    assumeThat(KernelMemory.isVisible()).as("/proc/sysvipc").isTrue();
    PostgresServer postgres = PostgresServer.start();
    long pid = postgres.process().pid();
    assertThat(postgres.sql("SHOW dynamic_shared_memory_type")).isEqualTo("mmap");
    postgres.process().kill9();
    assertThat(KernelMemory.madeBy(pid)).isNotEmpty();
    postgres.close();
    assertThat(KernelMemory.madeBy(pid)).isEmpty();
  }

  @Test
  void a_paused_server_is_silent_with_all_its_backends() {
    try (PostgresServer postgres =
            PostgresServer.start(PostgresServerOptions.PLAIN.withoutFsync());
        SqlSession session = SqlSession.open(postgres)) {
      assertThat(session.answer()).isEqualTo("ready");
      postgres.process().pause();
      assertThat(family(postgres)).hasSizeGreaterThan(4).allMatch(ProcState::isStopped);
      postgres.process().resume();
      assertThat(postgres.sql("SHOW fsync")).isEqualTo("off");
      postgres.process().pause();
    }
  }

  @Test
  void backends_are_terminated() {
    try (PostgresServer postgres = PostgresServer.start();
        SqlSession session = SqlSession.open(postgres)) {
      assertThat(session.answer()).isEqualTo("ready");
      assertThat(postgres.terminateBackends()).isEqualTo(1);
      assertThat(postgres.terminateBackends()).isZero();
    }
  }

  @Test
  void a_user_with_a_password_has_to_show_it() {
    try (PostgresServer postgres = PostgresServer.start()) {
      postgres.createUser("guarded", "it's s3cret");
      postgres.createUser("other", "s3cret");
      assertThat(loginAs(postgres, "guarded", "it's s3cret").run("SELECT current_user"))
          .isEqualTo("guarded");
      assertThatThrownBy(() -> loginAs(postgres, "guarded", "guess").run("SELECT 1"))
          .hasMessageContaining("password authentication failed");
      assertThatThrownBy(() -> postgres.createUser("guarded", "s3cret"))
          .hasMessageContaining("already exists")
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void a_failed_statement_is_quoted_with_the_words_of_the_server() {
    try (PostgresServer postgres = PostgresServer.start()) {
      assertThatThrownBy(() -> postgres.sql("SELECT * FROM nowhere; SELECT 2"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("postgres on port " + postgres.port() + ", database postgres")
          .hasMessageContaining("relation \"nowhere\" does not exist")
          .hasMessageContaining("SELECT * FROM nowhere");
    }
  }

  @Test
  void a_bad_setting_is_quoted_from_the_log() {
    assertThatThrownBy(() -> PostgresServer.start(PostgresServerOptions.PLAIN.with("no_such", "1")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no_such");
  }

  @Test
  void never_takes_a_stranger_on_its_port_for_the_server() {
    try (PostgresServer stranger = PostgresServer.start()) {
      PostgresServerOptions same = PostgresServerOptions.PLAIN.withPort(stranger.port());
      assertThatThrownBy(() -> PostgresServer.start(same))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Address already in use");
    }
  }

  @Test
  void two_servers_do_not_know_each_other_and_have_an_identity_of_their_own_on_demand() {
    String identity = "SELECT system_identifier FROM pg_control_system()";
    try (PostgresServer one = PostgresServer.start();
        PostgresServer same = PostgresServer.start();
        PostgresServer other =
            PostgresServer.start(PostgresServerOptions.PLAIN.withOwnIdentity())) {
      one.createDatabase("app");
      assertThatThrownBy(() -> same.sql("app", "SELECT 1")).hasMessageContaining("does not exist");
      assertThat(same.sql(identity)).isEqualTo(one.sql(identity));
      assertThat(other.sql(identity)).isNotEqualTo(one.sql(identity));
    }
  }

  @Test
  void runs_as_another_user_when_the_tests_run_as_root() throws IOException {
    try (PostgresServer postgres = PostgresServer.start()) {
      String expected = LaunchSpec.asRoot() ? "postgres" : System.getProperty("user.name");
      Path process = Path.of("/proc/" + postgres.process().pid());
      assertThat(Files.getOwner(process).getName()).isEqualTo(expected);
      assertThat(postgres.process().folder().resolve(".s.PGSQL." + postgres.port())).exists();
    }
  }

  @Test
  void its_wall_clock_can_be_stepped() {
    assumeThat(ServerClock.isAvailable()).as("gcc, for the clock of servers").isTrue();
    try (ServerClock clock = ServerClock.create();
        PostgresServer postgres =
            PostgresServer.start(PostgresServerOptions.PLAIN.withClock(clock))) {
      assertThat(ahead(postgres)).isBetween(Duration.ofSeconds(-5), Duration.ofSeconds(5));
      clock.step(Duration.ofSeconds(60));
      assertThat(ahead(postgres)).isBetween(Duration.ofSeconds(55), Duration.ofSeconds(65));
      clock.step(Duration.ofSeconds(-90));
      assertThat(ahead(postgres)).isBetween(Duration.ofSeconds(-35), Duration.ofSeconds(-25));
      postgres.process().restart();
      assertThat(ahead(postgres)).isBetween(Duration.ofSeconds(-35), Duration.ofSeconds(-25));
    }
  }

  private static Duration ahead(PostgresServer postgres) {
    String millis = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    return Duration.between(
        Instant.now(), Instant.ofEpochMilli(Long.parseLong(postgres.sql(millis))));
  }

  private static SqlShell loginAs(PostgresServer postgres, String user, String password) {
    SqlShell trusted = PostgresPrograms.psql("test", postgres.port(), PostgresServer.DATABASE);
    List<String> command =
        trusted.command().stream().map(word -> word.equals(postgres.user()) ? user : word).toList();
    return new SqlShell("test", command, Map.of("PGPASSWORD", password));
  }

  private static List<ProcessHandle> family(PostgresServer postgres) {
    ProcessHandle root = ProcessHandle.of(postgres.process().pid()).orElseThrow();
    return Stream.concat(Stream.of(root), root.descendants()).toList();
  }
}
