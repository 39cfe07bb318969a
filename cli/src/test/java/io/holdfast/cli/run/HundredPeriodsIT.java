package io.holdfast.cli.run;

import io.holdfast.cli.Engine;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Takes a quarter of an hour for each engine, so it is left to the long run. */
@DisplayName("holdfast once, five machines at the same second, for a long time:")
class HundredPeriodsIT {

  private static final int PERIODS = Integer.getInteger("periods", 100);
  private static final long SEED = Long.getLong("seed", 20_250_101L);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDLOCK")
  @DisplayName("as many runs as periods")
  void undisturbed(Engine engine) throws Exception {
    try (Engine.Store store = engine.start(folder)) {
      new Ticks(folder, store, "8s").undisturbed(PERIODS);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDLOCK")
  @DisplayName("the runner is killed now and then: one success in each period")
  void killed(Engine engine) throws Exception {
    try (Engine.Store store = engine.start(folder)) {
      new Ticks(folder, store, "12s").withKills(PERIODS / 5, SEED);
    }
  }
}
