package io.holdfast.benchmarks.runners;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.BrokenLock;
import io.holdfast.benchmarks.suites.RaceFactory;
import io.holdfast.cli.bench.ConnectionCount;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldRunnerTest {

  @TempDir Path folder;

  @Test
  void many_are_held_while_one_caller_goes_on_and_all_are_given_back() throws Exception {
    Contender contender = RaceFactory.memory(Order.ANY).withLease(HeldRunner.LEASE).contender();
    try (RoundRunner runner =
        new HeldRunner(contender.open(folder), "name", 300, 4, ConnectionCount.unknown())) {
      // Twice: the second round could not take what the first one had kept.
      for (int round = 0; round < 2; round++) {
        Sample sample = runner.run(Duration.ofMillis(50));
        assertThat(sample.faults()).isEmpty();
        assertThat(sample.ops()).isPositive();
        assertThat(sample.extras()).containsEntry("held", 300.0).containsEntry("stillHeld", 300.0);
        assertThat(sample.extras().get("takenPerSecond")).isPositive();
        assertThat(sample.extras().get("threads")).isPositive();
        assertThat(sample.extras()).containsKey("heapBytesPerHold");
      }
    }
  }

  @Test
  void the_lease_ends_within_a_round_but_is_never_longer_than_usual() {
    assertThat(HeldRunner.lease(HeldRunner.LONG_ENOUGH)).isEqualTo(HeldRunner.LEASE);
    assertThat(HeldRunner.lease(Duration.ofSeconds(10))).isEqualTo(Duration.ofMillis(9_500));
    assertThat(HeldRunner.lease(Duration.ofMinutes(5))).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void none_held_is_there_to_compare_with() throws Exception {
    Contender.Session session = RaceFactory.memory(Order.FIFO).contender().open(folder);
    try (RoundRunner runner = new HeldRunner(session, "name", 0, 4, ConnectionCount.unknown())) {
      Sample sample = runner.run(Duration.ofMillis(50));
      assertThat(sample.faults()).isEmpty();
      assertThat(sample.extras()).containsEntry("held", 0.0);
    }
  }

  @Test
  void held_locks_that_are_lost_are_told() throws Exception {
    try (RoundRunner runner =
        new HeldRunner(new BrokenLock(), "name", 10, 2, ConnectionCount.unknown())) {
      assertThat(runner.run(Duration.ofMillis(100)).faults())
          .containsExactly("10 of 10 held locks were lost");
    }
  }
}
