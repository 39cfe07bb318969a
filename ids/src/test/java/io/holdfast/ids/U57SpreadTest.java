package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.ManualTime;
import io.holdfast.tck.Sandbox;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** U57: at one id a second, id % n is as even as chance. */
class U57SpreadTest {

  /** The chi-square bound of one in a million for so many residues. */
  @ParameterizedTest
  @CsvSource({"2, 23.9", "16, 56.5", "1000, 1230.0"})
  void ids_made_at_a_slow_pace_spread_over_shards(int shards, double bound) {
    try (Sandbox sandbox = Sandbox.open()) {
      ManualTime time = sandbox.time();
      int[] hits = new int[shards];
      int count = 10_000;
      IdLayout layout = IdLayout.STANDARD;
      // One a second over 10,000 s; the store is asked for time on the way, as it would be.
      TimelineOptions options = TimelineOptions.DEFAULTS.withWindow(Duration.ofMinutes(30));
      try (LongIds ids = Ids.over(sandbox.holdfast(), time).timeline("slow", options)) {
        for (int i = 0; i < count; i++) {
          time.stepWall(Duration.ofSeconds(1));
          hits[(int) (ids.next() % shards)]++;
        }
        assertThat(layout.describe(ids.next()).time()).isPresent();
      }
      double expected = (double) count / shards;
      double chiSquare = 0;
      for (int each : hits) {
        chiSquare += (each - expected) * (each - expected) / expected;
      }
      System.out.printf(
          "figure: chi-square of id %% %d: %.1f (bound %.1f)%n", shards, chiSquare, bound);
      assertThat(chiSquare).isLessThan(bound);
    }
  }
}
