package io.holdfast.cli.run;

import io.holdfast.cli.Engine;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few periods on two engines; {@link HundredPeriodsIT} has more of both. */
@Timeout(180)
@DisplayName("holdfast once, five machines at the same second:")
class OnceIT {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "REDIS"})
  @DisplayName("one run in each period")
  void undisturbed(Engine engine) throws Exception {
    try (Engine.Store store = engine.start(folder)) {
      new Ticks(folder, store, "10s").undisturbed(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "REDIS"})
  @DisplayName("the runner is killed: another takes over, and there is one success")
  void killed(Engine engine) throws Exception {
    try (Engine.Store store = engine.start(folder)) {
      new Ticks(folder, store, "15s").withKills(1, 7);
    }
  }
}
