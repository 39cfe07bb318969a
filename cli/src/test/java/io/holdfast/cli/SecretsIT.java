package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("Passwords are sent to the store only:")
class SecretsIT {

  private static final String SECRET = "s3cret @:/%x";

  @TempDir Path folder;

  @Test
  @DisplayName("Redis, from the environment")
  void redis() throws Exception {
    try (RedisServer server = RedisServer.start(RedisServerOptions.PLAIN.withPassword("s3cret"))) {
      check(CliProcess.Setup.in(folder).with("HOLDFAST_PASSWORD", "s3cret").at(server.uri()));
      checkWrong(
          CliProcess.Setup.in(folder).with("HOLDFAST_PASSWORD", "s3cret-not").at(server.uri()));
    }
  }

  @Test
  @DisplayName("PostgreSQL, from a password file")
  void postgres() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      server.createDatabase("app");
      server.createUser("app", SECRET);
      server.sql("app", "GRANT ALL ON SCHEMA public TO app");
      Path config = Files.createDirectories(folder.resolve("config/holdfast"));
      Path lines = config.resolve("config");
      Files.writeString(
          lines, "store=" + server.jdbcUri("app") + "\nuser=app\npassword-file=secret\n");
      Files.setPosixFilePermissions(lines, PosixFilePermissions.fromString("rw-------"));
      Path file = Files.writeString(config.resolve("secret"), SECRET + "\n");
      CliProcess refused = CliProcess.Setup.in(folder).run("run", "a", "--", "true");
      assertThat(refused.err()).contains("chmod 600");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      check(CliProcess.Setup.in(folder));
      Files.writeString(file, "s3cret-not\n");
      checkWrong(CliProcess.Setup.in(folder));
    }
  }

  @Test
  @DisplayName("MariaDB, from the environment")
  void mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      server.createUser("app", SECRET, "app");
      CliProcess.Setup setup = CliProcess.Setup.in(folder).at(server.jdbcUri("app", "app"));
      check(setup.with("HOLDFAST_PASSWORD", SECRET));
      checkWrong(setup.with("HOLDFAST_PASSWORD", "s3cret-not"));
    }
  }

  @Test
  @DisplayName("on the command line they are refused")
  void commandLine() {
    CliProcess refused =
        CliProcess.Setup.in(folder).run("run", "a", "--store", "redis://:s3cret@h", "--", "true");
    assertThat(refused.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("HOLDFAST_PASSWORD").doesNotContain("s3cret");
  }

  private void check(CliProcess.Setup setup) throws Exception {
    String script = "cat /proc/$PPID/cmdline /proc/$$/cmdline >seen; echo >up; sleep 600; :";
    Files.deleteIfExists(folder.resolve("up"));
    try (CliProcess run =
        setup.start("run", "a", "--", "sh", "-c", "cd '" + folder + "'; " + script)) {
      run.awaitLineIn(folder.resolve("up"));
      assertThat(CliProcess.read(folder.resolve("seen"))).contains("run").doesNotContain("s3cret");
      run.signal("TERM");
      assertThat(run.awaitExit()).isEqualTo(143);
      assertThat(run.err()).doesNotContain("s3cret");
    }
  }

  private static void checkWrong(CliProcess.Setup setup) {
    CliProcess run = setup.run("run", "a", "--wait", "5s", "--", "true");
    assertThat(run.awaitExit()).as(run.err()).isIn(ExitCode.STORE, ExitCode.REFUSED);
    assertThat(run.err()).isNotBlank().doesNotContain("s3cret");
  }
}
