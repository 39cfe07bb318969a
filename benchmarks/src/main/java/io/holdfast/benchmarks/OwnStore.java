package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures Holdfast over one store, without peers and without a server of our own: what {@code
 * holdfast bench} runs. Needs nothing of the libraries that the peers are.
 */
public final class OwnStore {

  /** Hears how far it is. */
  @FunctionalInterface
  public interface Ear {

    /**
     * Told before each step.
     *
     * @param done how many steps are behind
     * @param all how many there are
     */
    void hear(int done, int all, String what);
  }

  /**
   * What came out.
   *
   * @param table for people
   * @param svg the same as bars, a whole file
   * @param json the same for programs
   * @param broken whether the locks did what they must not: then the figures mean nothing
   */
  public record Outcome(String table, String svg, String json, boolean broken) {}

  private static final String UNCONTENDED = "uncontended, 1 thread";

  private final String uri;
  private final String namespace;
  private final Path folder;
  private int done;

  /**
   * A store to be measured.
   *
   * @param uri may hold secrets; nothing that comes out has it
   * @param namespace of the locks, whatever the URI says
   * @param folder for files of the run; nothing is left in it
   */
  public OwnStore(String uri, String namespace, Path folder) {
    this.uri = uri;
    this.namespace = namespace;
    this.folder = folder;
  }

  /**
   * Runs all races; blocks until they are over.
   *
   * @param fifo whether the store has mutexes in order FIFO
   * @param threads of the races that have several
   * @param time of a round
   * @param rounds beside the one to warm up
   * @param coloured whether the table is for a terminal
   */
  public Outcome measure(
      boolean fifo, int threads, Duration time, int rounds, boolean coloured, Ear ear)
      throws Exception {
    List<Race> races = races(fifo, threads, time, rounds);
    // Each racer starts once, warms up once, and runs its rounds.
    int all = races.stream().mapToInt(race -> race.racers().size() * (rounds + 2)).sum();
    Table table = new Table(coloured ? Ink.COLOURED : Ink.PLAIN);
    StringBuilder text = new StringBuilder();
    List<Row> rows = new ArrayList<>();
    for (Race race : races) {
      Row row = race.run(what -> ear.hear(done++, all, what), Profile.NONE);
      rows.add(row);
      text.append(table.of(row)).append('\n');
    }
    return new Outcome(
        text.toString(),
        SvgChart.of(rows),
        JsonReport.of(Machine.now(), rows, List.of()),
        rows.stream().anyMatch(Row::hasFaults));
  }

  private List<Race> races(boolean fifo, int threads, Duration time, int rounds) {
    Lineup lineup =
        new Lineup(
            folder,
            kind -> {
              throw new IllegalStateException("a store of its own is not for this: " + kind);
            });
    Entrant any = entrant(Order.ANY);
    Setup shared = Setup.of(Mode.SHARED, threads, time, rounds);
    List<Race> races = new ArrayList<>();
    races.add(lineup.of(UNCONTENDED, Setup.of(Mode.OWN, 1, time, rounds), any));
    Setup own = Setup.of(Mode.OWN, threads, time, rounds);
    races.add(lineup.of(own.title(), own, any));
    races.add(lineup.of(shared.title() + ", any order", shared, any));
    if (fifo) {
      races.add(lineup.of(shared.title() + ", FIFO", shared, entrant(Order.FIFO)));
    }
    return races;
  }

  private Entrant entrant(Order order) {
    return Entrant.holdfast(uri, order).inNamespace(namespace);
  }
}
