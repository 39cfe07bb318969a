package io.holdfast.cli.commands.run;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Left to the long run: minutes for each engine. A fifth of the periods is as cron does it, with
 * five new processes each; to start those is what takes the time, so in the others five processes
 * live on and run the command again.
 */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast once, five machines at the same second, for a long time:")
class HundredPeriodsIT {

  private static final int PERIODS = Integer.getInteger("periods", 100);
  private static final int FRESH = Integer.getInteger("fresh", PERIODS / 5);
  private static final long SEED = Long.getLong("seed", 20_250_101L);

  /** All five come well within it, also if many engines are tested together on two cores. */
  private static final String LONG_PERIOD = "25s";

  private static final String SHORT_PERIOD = "6s";

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("as many runs as periods")
  void undisturbed(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        Machines fresh = new FreshMachines(CliProcess.Setup.in(folder).at(store.uri()));
        Machines kept = new KeptMachines(CliProcess.Setup.in(folder).at(store.uri()))) {
      new CronJob(folder, store, fresh, "fresh", LONG_PERIOD).undisturbed(FRESH);
      new CronJob(folder, store, kept, "kept", SHORT_PERIOD).undisturbed(PERIODS - FRESH);
    }
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName(
      "machines are killed at any moment, in half as many: one recorded success in each period")
  void killed(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        Machines fresh = new FreshMachines(CliProcess.Setup.in(folder).at(store.uri()));
        Machines kept = new KeptMachines(CliProcess.Setup.in(folder).at(store.uri()))) {
      new CronJob(folder, store, fresh, "fresh", LONG_PERIOD).withKills(FRESH / 2, SEED);
      new CronJob(folder, store, kept, "kept", SHORT_PERIOD)
          .withKills(PERIODS / 2 - FRESH / 2, SEED);
    }
  }
}
