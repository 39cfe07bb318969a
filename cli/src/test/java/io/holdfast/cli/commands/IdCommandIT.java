package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliOutput;
import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.RunningStores;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast id")
@ExtendWith(RunningStores.class)
@Timeout(60)
class IdCommandIT {

  @Test
  @DisplayName("makes UUIDs that rise, without a store")
  void uuids() {
    List<String> ids = CliOutput.by("id", "-n", "10").lines();

    assertThat(ids).hasSize(10).isSorted().doesNotHaveDuplicates();
    assertThat(UUID.fromString(ids.get(0)).version()).isEqualTo(7);
  }

  @Test
  @DisplayName("makes numbers that the store keeps apart, and reads them again")
  void numbers(RunningStores.Stores stores) {
    String uri = stores.uri(EngineWithServer.SQLITE);

    List<String> dated =
        CliOutput.by(
                "id",
                "--generator",
                "timeline:orders",
                "--form",
                "dated",
                "-n",
                "3",
                "--store",
                uri)
            .lines();
    List<String> counted =
        CliOutput.by("id", "--generator", "counter:invoices", "-n", "3", "--store", uri).lines();

    assertThat(dated).hasSize(3).isSorted();
    assertThat(CliOutput.by("id", "--decode", dated.get(0)).out())
        .contains("time      20", "worker    ", "sequence  ");
    assertThat(counted.stream().map(Long::valueOf)).hasSize(3).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("gives its worker number back after Ctrl-C")
  void interrupted(@TempDir Path home) throws Exception {
    CliProcess.Setup setup = CliProcess.Setup.in(home);
    try (CliProcess cli = setup.start("id", "--generator", "timeline:orders", "-n", "1000000")) {
      cli.awaitWhileRunning("some ids", () -> cli.out().contains("\n"));
      cli.signal("INT");
      assertThat(cli.awaitExit()).as(cli.err()).isEqualTo(130);
      assertThat(cli.err()).isEmpty();
    }
    assertThat(setup.run("ls", "--json").out()).isEmpty();
  }

  @Test
  @DisplayName("refuses what it would have to ignore")
  void ignored() {
    CliOutput form = CliOutput.by("id", "--generator", "uuid4", "--form", "base62");
    assertThat(form.code()).isEqualTo(ExitCode.USAGE);
    assertThat(form.err()).contains("--form is for numbers, and uuid4 makes none");

    for (String more : new String[] {"-n=3", "--generator=uuid7"}) {
      CliOutput both = CliOutput.by("id", "--decode", "5", more);
      assertThat(both.code()).isEqualTo(ExitCode.USAGE);
      assertThat(both.err()).contains("--decode makes no ids");
    }
  }

  @Test
  @DisplayName("says what it knows when it is asked for something else")
  void unknown() {
    CliOutput printed = CliOutput.by("id", "--generator", "roman");

    assertThat(printed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(printed.err()).contains("roman", "uuid7", "timeline");
  }
}
