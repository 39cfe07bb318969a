package io.holdfast.cli.bench;

import io.holdfast.cli.Colours;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Measures Holdfast over one store: the races behind {@code holdfast bench}.
 *
 * <p>Other libraries, several processes and servers started for the run are in the benchmarks
 * module, which builds on the classes of this package.
 */
public final class StoreBench {

  /** Receives progress reports. */
  @FunctionalInterface
  public interface ProgressListener {

    /**
     * Called before each step.
     *
     * @param done number of finished steps
     * @param all number of all steps
     * @param what the step that begins
     */
    void onStep(int done, int all, String what);
  }

  /**
   * The results.
   *
   * @param table for people
   * @param svg the same as a bar chart, a complete file
   * @param json the same for programs
   * @param broken whether a lock violated its promises, which makes the figures meaningless
   */
  public record Outcome(String table, String svg, String json, boolean broken) {}

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final String uri;
  private final String namespace;
  private final Path folder;

  /** Part of every lock name, so that locks left behind by another run are not in the way. */
  private final String run = "bench-" + Long.toHexString(ThreadLocalRandom.current().nextLong());

  private int done;
  private int races;

  /**
   * Creates the bench of one store.
   *
   * @param uri may contain secrets; no result contains it
   * @param namespace of the locks, whatever the URI says
   * @param folder for temporary files; nothing is left in it
   */
  public StoreBench(String uri, String namespace, Path folder) {
    this.uri = uri;
    this.namespace = namespace;
    this.folder = folder;
  }

  /**
   * Runs all races; blocks until they are over.
   *
   * @param fifo whether the store supports mutexes in order FIFO
   * @param threads of the races with several threads
   * @param time of a round
   * @param rounds not counting the warm-up round
   * @param colours of the table
   */
  public Outcome measure(
      boolean fifo,
      int threads,
      Duration time,
      int rounds,
      Colours colours,
      ProgressListener progress)
      throws Exception {
    List<Race> all = races(fifo, threads, time, rounds);
    // Each entry starts once, warms up once, and runs its rounds.
    int steps = all.stream().mapToInt(race -> race.entries().size() * (rounds + 2)).sum();
    ResultTable table = new ResultTable(colours);
    StringBuilder text = new StringBuilder();
    List<RaceResult> results = new ArrayList<>();
    for (Race race : all) {
      RaceResult result = race.run(what -> progress.onStep(done++, steps, what), Profiler.NONE);
      results.add(result);
      text.append(table.of(result)).append('\n');
    }
    return new Outcome(
        text.toString(),
        SvgChart.of(results),
        JsonReport.of(MachineInfo.now(), results, List.of()),
        results.stream().anyMatch(RaceResult::hasFaults));
  }

  private List<Race> races(boolean fifo, int threads, Duration time, int rounds) {
    RaceSetup single = RaceSetup.of(LoadMode.OWN, 1, time, rounds);
    RaceSetup own = RaceSetup.of(LoadMode.OWN, threads, time, rounds);
    RaceSetup shared = RaceSetup.of(LoadMode.SHARED, threads, time, rounds);
    List<Race> all = new ArrayList<>();
    all.add(race(single.title(), single, Order.ANY));
    all.add(race(own.title(), own, Order.ANY));
    all.add(race(shared.title() + ", any order", shared, Order.ANY));
    if (fifo) {
      all.add(race(shared.title() + ", FIFO", shared, Order.FIFO));
    }
    return all;
  }

  private Race race(String heading, RaceSetup setup, Order order) {
    HoldfastContender contender = new HoldfastContender(uri, order, LEASE, namespace);
    String prefix = run + "/" + ++races + ".0";
    Workload workload =
        setup.mode() == LoadMode.SHARED
            ? Workload.shared(prefix, setup.threads(), setup.section())
            : Workload.own(prefix, setup.threads(), setup.section());
    RaceEntry.Start start =
        () ->
            ConnectionCountingRunner.start(
                uri, () -> new ThreadRunner(contender.open(folder), workload));
    return new Race(heading, setup, List.of(new RaceEntry(contender.name(), false, start)));
  }
}
