package io.holdfast.cli.commands.run;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few periods on two engines; {@link HundredPeriodsIT} has more of both. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast once, five machines at the same second:")
class OnceIT {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "REDIS"})
  @DisplayName("one run in each period")
  void undisturbed(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        Machines fresh = new FreshMachines(CliProcess.Setup.in(folder).at(store.uri()));
        Machines kept = new KeptMachines(CliProcess.Setup.in(folder).at(store.uri()))) {
      new CronJob(folder, store, fresh, "fresh", "30s").undisturbed(1);
      new CronJob(folder, store, kept, "kept", "6s").undisturbed(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "REDIS"})
  @DisplayName("machines are killed: another takes over, and one success is recorded")
  void killed(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        Machines fresh = new FreshMachines(CliProcess.Setup.in(folder).at(store.uri()));
        Machines kept = new KeptMachines(CliProcess.Setup.in(folder).at(store.uri()))) {
      new CronJob(folder, store, fresh, "fresh", "30s").withKills(1, 7);
      new CronJob(folder, store, kept, "kept", "6s").withKills(3, 7);
    }
  }
}
