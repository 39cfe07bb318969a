package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Some racers under one setup, in alternating rounds.
 *
 * @param heading above its table and bars
 */
record Race(String heading, Setup setup, List<Racer> racers) {

  Race {
    racers = List.copyOf(racers);
  }

  /** How many seconds it takes, about. */
  double seconds() {
    long each = setup.warmUp().toMillis() + setup.time().toMillis() * setup.rounds();
    return each / 1000.0 * racers.size();
  }

  /**
   * Runs all rounds, then what the profiler asks for.
   *
   * @param progress hears what is under way
   * @param profile gets every racer once more after its last round, still connected
   */
  Row run(Consumer<String> progress, Profile profile) throws Exception {
    List<Runner> runners = new ArrayList<>();
    try {
      for (Racer racer : racers) {
        progress.accept("starting " + racer.name());
        runners.add(racer.start().connect());
      }
      Row row = new Row(heading, setup, run(runners, progress));
      for (int i = 0; i < runners.size(); i++) {
        profile.look(racers.get(i).name(), runners.get(i), setup.time());
      }
      return row;
    } finally {
      close(runners);
    }
  }

  private List<Figures> run(List<Runner> runners, Consumer<String> progress) throws Exception {
    Map<Racer, Sample> warmUps = new LinkedHashMap<>();
    Map<Racer, List<Sample>> samples = new LinkedHashMap<>();
    for (Schedule.Turn turn : Schedule.alternating(racers.size(), setup.rounds())) {
      Racer racer = racers.get(turn.racer());
      progress.accept(
          "%s: %s, round %d of %d".formatted(heading, racer.name(), turn.round(), setup.rounds()));
      Duration time = turn.isWarmUp() ? setup.warmUp() : setup.time();
      Sample sample = runners.get(turn.racer()).run(time);
      if (turn.isWarmUp()) {
        warmUps.put(racer, sample);
      } else {
        samples.computeIfAbsent(racer, r -> new ArrayList<>()).add(sample);
      }
    }
    List<Figures> figures = new ArrayList<>();
    samples.forEach(
        (racer, all) ->
            figures.add(Figures.of(racer, warmUps.getOrDefault(racer, all.get(0)), all)));
    return figures;
  }

  /** Closes all, whatever one of them throws: children must not stay behind. */
  private static void close(List<Runner> runners) throws Exception {
    Exception first = null;
    for (Runner runner : runners) {
      try {
        runner.close();
      } catch (Exception e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
