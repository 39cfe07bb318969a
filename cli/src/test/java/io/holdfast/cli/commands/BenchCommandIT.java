package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.holdfast.cli.CliOutput;
import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.RunningStores;
import io.holdfast.rig.time.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("holdfast bench")
@ExtendWith(RunningStores.class)
@Timeout(120)
class BenchCommandIT {

  private static CliOutput bench(String uri, String... more) {
    String[] words = {
      "bench", "--threads", "4", "--time", "100ms", "--rounds", "2", "--store", uri
    };
    return CliOutput.by(Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  @DisplayName("measures a store, prints a table and draws bars")
  void table(RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(EngineWithServer.SQLITE);
    Path svg = stores.folder().resolve("locks.svg");

    CliOutput printed = bench(uri, "--svg", svg.toString());

    assertThat(printed.code()).as(printed.err()).isZero();
    assertThat(printed.out())
        .contains(
            "uncontended, 1 thread",
            "own names, 4 threads",
            "one name, 4 threads, any order",
            "one name, 4 threads, FIFO",
            "holdfast jdbc:sqlite: any");
    assertThat(Files.readString(svg)).startsWith("<svg ").contains("holdfast jdbc:sqlite: fifo");
    assertThat(CliOutput.by("ls", "bench-", "--json", "--store", uri).out()).isEmpty();
  }

  @Test
  @DisplayName("is JSON for programs")
  void json(RunningStores.Stores stores) {
    CliOutput printed = bench(stores.uri(EngineWithServer.REDIS), "--json");

    assertThat(JsonParser.parseString(printed.out()).getAsJsonObject().getAsJsonArray("rows"))
        .hasSize(4);
  }

  @Test
  @DisplayName("cleans up when it is ended by Ctrl-C")
  void interrupted(RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(EngineWithServer.REDIS);
    Path home = stores.folder();
    Path temporary = Files.createDirectory(home.resolve("tmp"));
    CliProcess.Setup setup =
        CliProcess.Setup.in(home)
            .at(uri)
            .with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    try (CliProcess cli = setup.start("bench", "--threads", "4", "--time", "30s")) {
      Await.until("locks of the bench", CliProcess.LONG, () -> !locks(uri).isEmpty());

      cli.signal("INT");

      assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(ExitCode.SIGNAL + 2);
      assertThat(locks(uri)).isEmpty();
      assertThat(temporary.resolve(".")).isEmptyDirectory();
    }
  }

  @Test
  @DisplayName("locks in the namespace that is asked for, and in no other")
  void namespace(RunningStores.Stores stores) {
    String uri = stores.uri(EngineWithServer.REDIS);
    CliProcess.Setup setup =
        CliProcess.Setup.in(stores.folder()).at(uri + "?holdfast.namespace=of-the-address");
    try (CliProcess cli =
        setup.start("bench", "--namespace", "asked", "--threads", "4", "--time", "30s")) {
      Await.until(
          "locks of the bench",
          CliProcess.LONG,
          () -> !locks(uri, "--namespace", "asked").isEmpty());

      assertThat(locks(uri)).isEmpty();
      assertThat(locks(uri, "--namespace", "of-the-address")).isEmpty();
      cli.signal("INT");
      assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(ExitCode.SIGNAL + 2);
    }
  }

  private static String locks(String uri, String... more) {
    String[] words = {"ls", "bench-", "--json", "--store", uri};
    return CliOutput.by(Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new))
        .out();
  }

  @Test
  @DisplayName("says how to measure other libraries")
  void peers() {
    CliOutput printed = CliOutput.by("bench", "--peers");

    assertThat(printed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(printed.err()).contains("./holdfast bench redis");
  }
}
