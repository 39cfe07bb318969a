package io.holdfast.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Racers under one setup, in alternating rounds.
 *
 * @param heading above its table and bars
 */
public record Race(String heading, RaceSetup setup, List<RaceEntry> entries) {

  public Race {
    entries = List.copyOf(entries);
  }

  /** How many seconds it takes, about. */
  public double seconds() {
    long each = setup.warmUp().toMillis() + setup.time().toMillis() * setup.rounds();
    return each / 1000.0 * entries.size();
  }

  /**
   * Runs all rounds, then what the profiler asks for.
   *
   * @param progress receives what is under way
   * @param profile gets every entry once more after its last round, still connected
   */
  public RaceResult run(Consumer<String> progress, Profiler profile) throws Exception {
    List<RoundRunner> runners = new ArrayList<>();
    try {
      for (RaceEntry entry : entries) {
        progress.accept("starting " + entry.name());
        runners.add(entry.start().connect());
      }
      RaceResult row = new RaceResult(heading, setup, run(runners, progress));
      for (int i = 0; i < runners.size(); i++) {
        profile.look(entries.get(i).name(), runners.get(i), setup.time());
      }
      return row;
    } finally {
      close(runners);
    }
  }

  private List<Figures> run(List<RoundRunner> runners, Consumer<String> progress) throws Exception {
    Map<RaceEntry, Sample> warmUps = new LinkedHashMap<>();
    Map<RaceEntry, List<Sample>> samples = new LinkedHashMap<>();
    for (RoundSchedule.Turn turn : RoundSchedule.alternating(entries.size(), setup.rounds())) {
      RaceEntry entry = entries.get(turn.entry());
      progress.accept(
          "%s: %s, round %d of %d".formatted(heading, entry.name(), turn.round(), setup.rounds()));
      Duration time = turn.isWarmUp() ? setup.warmUp() : setup.time();
      Sample sample = runners.get(turn.entry()).run(time);
      if (turn.isWarmUp()) {
        warmUps.put(entry, sample);
      } else {
        samples.computeIfAbsent(entry, r -> new ArrayList<>()).add(sample);
      }
    }
    List<Figures> figures = new ArrayList<>();
    samples.forEach(
        (entry, all) ->
            figures.add(Figures.of(entry, warmUps.getOrDefault(entry, all.get(0)), all)));
    return figures;
  }

  /** Closes all, whatever one of them throws: children must not stay behind. */
  private static void close(List<RoundRunner> runners) throws Exception {
    Exception first = null;
    for (RoundRunner runner : runners) {
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
