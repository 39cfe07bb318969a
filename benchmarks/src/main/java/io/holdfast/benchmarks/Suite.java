package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Races and bars that belong together, so that one word asks for them. */
enum Suite {
  /** See {@link Preset}; run when nothing is asked for. */
  MEMORY(Preset.TIME, Preset.ROUNDS),

  /** See {@link RedisPreset}. */
  REDIS(RedisPreset.TIME, RedisPreset.ROUNDS);

  private final Duration time;
  private final int rounds;

  Suite(Duration time, int rounds) {
    this.time = time;
    this.rounds = rounds;
  }

  /** The suite of this name, if there is one. */
  static Optional<Suite> named(String word) {
    return Stream.of(values()).filter(suite -> suite.word().equals(word)).findFirst();
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The usual length of a round. */
  Duration time() {
    return time;
  }

  /** The usual number of rounds. */
  int rounds() {
    return rounds;
  }

  /**
   * The races that the options ask for.
   *
   * @throws BadOptionException when there are none
   */
  List<Race> races(Lineup lineup, Options options) {
    Setup setup = options.setup();
    List<Race> races =
        switch (this) {
          case MEMORY -> Preset.races(lineup, setup.time(), setup.rounds());
          case REDIS ->
              new RedisPreset(lineup, lineup.redis(options)).races(setup.time(), setup.rounds());
        };
    List<Race> some = races.stream().filter(race -> isAskedFor(options, race.heading())).toList();
    if (some.isEmpty()) {
      throw new BadOptionException(
          "--only must be part of one of %s: --only=%s"
              .formatted(races.stream().map(Race::heading).toList(), options.only().orElse("")));
    }
    return some;
  }

  /** The bars of those races. */
  List<Goal> goals(Options options) {
    List<Goal> goals =
        switch (this) {
          case MEMORY -> Preset.goals();
          case REDIS -> RedisPreset.goals();
        };
    return goals.stream().filter(goal -> isAskedFor(options, goal.heading())).toList();
  }

  private static boolean isAskedFor(Options options, String heading) {
    return options.only().map(heading::contains).orElse(true);
  }
}
