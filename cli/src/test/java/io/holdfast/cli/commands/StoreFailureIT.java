package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.ExitCode;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U34. Trouble with the store has the codes of that, and is no fault of the program. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A store that is unreachable or refuses:")
class StoreFailureIT {

  private static final List<String> COMMANDS =
      List.of(
          "id --generator counter:a",
          "id --generator segment:a",
          "id --generator timeline:a",
          "bench --rounds 1 --time 50ms --threads 2");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://127.0.0.1:1",
        "jdbc:postgresql://127.0.0.1:1/app",
        "etcd://127.0.0.1:1",
        "zookeeper://127.0.0.1:1"
      })
  @DisplayName("away")
  void away(String uri) {
    for (String command : COMMANDS) {
      check(CliProcess.Setup.in(folder).at(uri), command, ExitCode.STORE, "127.0.0.1:1");
    }
    CliProcess ls = CliProcess.Setup.in(folder).at(uri).run("ls");
    assertThat(ls.err()).contains("check that the store is up");
  }

  @Test
  @DisplayName("a wrong password")
  void refuses() {
    try (RedisServer server = RedisServer.start(RedisServerOptions.PLAIN.withPassword("s3cret"))) {
      CliProcess.Setup setup =
          CliProcess.Setup.in(folder).at(server.uri()).with("HOLDFAST_PASSWORD", "no-s3cret");
      for (String command : COMMANDS) {
        check(setup, command, ExitCode.REFUSED, "127.0.0.1:");
      }
    }
  }

  @Test
  @DisplayName("no counters")
  void noCounters() {
    String uri = "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3";
    check(
        CliProcess.Setup.in(folder).at(uri), COMMANDS.get(0), ExitCode.REFUSED, "has no counters");
  }

  private static void check(CliProcess.Setup setup, String command, int code, String text) {
    CliProcess cli = setup.run(command.split(" ", -1));
    assertThat(cli.awaitExit()).as(command + ": " + cli.err()).isEqualTo(code);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).contains(text).doesNotContain("\tat ", "fault of the program", "s3cret");
  }
}
