package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RaceTest {

  private static final RaceSetup TWO_ROUNDS =
      RaceSetup.of(LoadMode.OWN, 1, Duration.ofMillis(10), 2);

  private final List<String> log = new ArrayList<>();

  private RaceEntry entry(String name) {
    return new RaceEntry(name, false, () -> new FakeRunner(name, log));
  }

  @Test
  void the_schedule_warms_up_everybody_and_then_alternates() {
    assertThat(RoundSchedule.alternating(2, 2))
        .containsExactly(
            new RoundSchedule.Turn(0, 0),
            new RoundSchedule.Turn(1, 0),
            new RoundSchedule.Turn(0, 1),
            new RoundSchedule.Turn(1, 1),
            new RoundSchedule.Turn(0, 2),
            new RoundSchedule.Turn(1, 2));
  }

  @Test
  void the_race_keeps_to_the_schedule_and_closes_all() throws Exception {
    Race race = new Race("race", TWO_ROUNDS, List.of(entry("a"), entry("b")));
    RaceResult row = race.run(progress -> {}, Profiler.NONE);
    assertThat(log).containsExactly("a", "b", "a", "b", "a", "b", "close a", "close b");
    assertThat(row.figures()).extracting(Figures::name).containsExactly("a", "b");
  }

  @Test
  void the_warm_up_does_not_count() throws Exception {
    RaceResult row =
        new Race("race", TWO_ROUNDS, List.of(entry("a"))).run(progress -> {}, Profiler.NONE);
    // The fake does ten more in every round, and ten in the first.
    assertThat(row.figures().get(0).rounds()).containsExactly(20.0, 30.0);
  }

  @Test
  void those_that_were_started_are_closed_when_the_next_one_fails_to() {
    RaceEntry broken =
        new RaceEntry(
            "b",
            false,
            () -> {
              throw new IllegalStateException("no store");
            });
    Race race = new Race("race", TWO_ROUNDS, List.of(entry("a"), broken));
    assertThatThrownBy(() -> race.run(progress -> {}, Profiler.NONE)).hasMessage("no store");
    assertThat(log).containsExactly("close a");
  }

  @Test
  void the_profiler_sees_every_racer_after_its_rounds() throws Exception {
    new Race("race", TWO_ROUNDS, List.of(entry("a"), entry("b")))
        .run(progress -> {}, (name, runner, time) -> log.add("profile " + name));
    assertThat(log.subList(6, 8)).containsExactly("profile a", "profile b");
  }

  @Test
  void its_length_is_known_before() {
    RaceSetup setup = RaceSetup.of(LoadMode.OWN, 1, Duration.ofMillis(1500), 3);
    assertThat(new Race("race", setup, List.of(entry("a"), entry("b"))).seconds()).isEqualTo(19);
  }
}
