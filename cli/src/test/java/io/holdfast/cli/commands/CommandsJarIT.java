package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliOutput;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.RunningStores;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("From the jar alone")
@ExtendWith(RunningStores.class)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class CommandsJarIT {

  /** Servers of a majority that have just started give no locks for a lease, and it says so. */
  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("the doctor looks at every kind of store")
  void doctor(EngineWithServer engine, RunningStores.Stores stores) {
    CliOutput printed =
        CliOutput.byProcess(stores.folder(), "doctor", "--json", "--store", stores.uri(engine));

    assertThat(printed.code()).as(printed.err()).isIn(ExitCode.OK, ExitCode.NOT_ACQUIRED);
    String subject = engine == EngineWithServer.SERVICE ? "service" : "version";
    assertThat(printed.out())
        .contains("a lock was acquired and released", "\"subject\":\"" + subject + "\"");
    assertThat(printed.err()).isEmpty();
  }

  @Test
  @DisplayName("the bench runs without the libraries of the peers")
  void bench(RunningStores.Stores stores) {
    CliOutput printed =
        CliOutput.byProcess(
            stores.folder(), "bench", "--threads", "2", "--time", "100ms", "--rounds", "1");

    assertThat(printed.code()).as(printed.err()).isZero();
    assertThat(printed.out()).contains("holdfast jdbc:sqlite: any", "holdfast jdbc:sqlite: fifo");
  }

  @Test
  @DisplayName("ids are made and completions written")
  void others(RunningStores.Stores stores) {
    assertThat(CliOutput.byProcess(stores.folder(), "id", "-n", "2").lines()).hasSize(2);
    assertThat(CliOutput.byProcess(stores.folder(), "completion", "bash").out())
        .contains("guarantees");
  }
}
