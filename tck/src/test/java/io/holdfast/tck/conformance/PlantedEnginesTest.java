package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kit is worth what it catches. */
class PlantedEnginesTest {

  @ParameterizedTest
  @EnumSource
  void the_kit_catches_an_engine_that_breaks_a_rule(PlantedBug plant) {
    KitRun run = KitRun.of(plant::in, chapter -> chapter == plant.chapter());
    assertThat(run.tests()).as("tests of the chapter").isPositive();
    assertThat(run.failed()).as("tests that %s fails", plant).isNotEmpty();
    KitOutput.print(plant + " caught by " + run.failed().size() + " of " + run.tests() + " tests");
  }

  @Test
  void the_kit_passes_an_honest_engine_that_claims_little() {
    KitRun run =
        KitRun.of((engine, memory) -> PlantedLines.plainMutexesAlone(engine, true), c -> true);
    assertThat(run.tests()).isGreaterThan(100);
    assertThat(run.failed()).isEmpty();
  }
}
