package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedContenderTest {

  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Duration SECTION = Duration.ofNanos(20_000);

  @TempDir Path folder;

  private List<String> faultsOf(Contender contender) throws Exception {
    Workload workload = Workload.shared("name", 4, SECTION);
    try (RoundRunner runner = new ThreadRunner(contender.open(folder), workload)) {
      return runner.run(SHORT).faults();
    }
  }

  @Test
  void a_lock_that_always_lets_in_loses_updates() throws Exception {
    assertThat(faultsOf(PlantedContender.OPEN_DOOR))
        .singleElement()
        .asString()
        .startsWith("lost updates: name 0 was held");
  }

  @Test
  void an_open_door_does_no_harm_where_nobody_shares() throws Exception {
    Contender.Session session = PlantedContender.OPEN_DOOR.open(folder);
    try (RoundRunner runner = new ThreadRunner(session, Workload.own("name", 4, SECTION))) {
      Sample sample = runner.run(SHORT);
      assertThat(sample.faults()).isEmpty();
      assertThat(sample.shares()).hasSize(4);
      assertThat(sample.ops()).isPositive();
    }
  }

  @Test
  void tokens_that_fall_are_told() throws Exception {
    assertThat(faultsOf(PlantedContender.FALLING_TOKENS))
        .isNotEmpty()
        .allMatch(fault -> fault.startsWith("tokens that did not rise: "));
  }

  @Test
  void a_lost_hold_is_told_and_not_taken_for_lost_updates() throws Exception {
    assertThat(faultsOf(PlantedContender.LOST))
        .hasSize(4)
        .allMatch(fault -> fault.contains("it was lost"));
  }

  @Test
  void a_contender_that_fails_is_told() throws Exception {
    assertThat(faultsOf(PlantedContender.REFUSING))
        .hasSize(4)
        .allMatch(fault -> fault.contains("no reply"));
  }

  @Test
  void real_locks_have_no_faults() throws Exception {
    for (Order order : Order.values()) {
      assertThat(faultsOf(new HoldfastContender("memory:", order, Duration.ofSeconds(30), "")))
          .as(order.name())
          .isEmpty();
    }
  }
}
