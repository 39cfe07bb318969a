package io.holdfast.cli.run;

import io.holdfast.cli.Cli;
import io.holdfast.cli.Engine;
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
  void undisturbed(Engine engine) throws Exception {
    try (Engine.Store store = engine.start(folder);
        Machines fresh = new FreshMachines(Cli.Setup.in(folder).at(store.uri()));
        Machines kept = new KeptMachines(Cli.Setup.in(folder).at(store.uri()))) {
      new Ticks(folder, store, fresh, "fresh", "30s").undisturbed(1);
      new Ticks(folder, store, kept, "kept", "6s").undisturbed(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "REDIS"})
  @DisplayName("machines are killed: another takes over, and one success is recorded")
  void killed(Engine engine) throws Exception {
    try (Engine.Store store = engine.start(folder);
        Machines fresh = new FreshMachines(Cli.Setup.in(folder).at(store.uri()));
        Machines kept = new KeptMachines(Cli.Setup.in(folder).at(store.uri()))) {
      new Ticks(folder, store, fresh, "fresh", "30s").withKills(1, 7);
      new Ticks(folder, store, kept, "kept", "6s").withKills(3, 7);
    }
  }
}
