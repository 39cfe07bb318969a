package io.holdfast.cli.look;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.benchmarks.OwnStore;
import io.holdfast.cli.CliException;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Screen;
import io.holdfast.cli.StoreOption;
import io.holdfast.spi.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench}: how fast locks are at a store. */
@Command(
    name = "bench",
    description = {
      "Measures how fast locks are at this store, from this machine.",
      "It loads the store while it runs, and leaves nothing behind. Beside other libraries it is"
          + " measured from a checkout: './holdfast bench redis' and others, which './holdfast bench"
          + " --peers --help' lists."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast bench --store redis://db",
      "  holdfast bench --threads 64 --time 2s --rounds 5 --svg locks.svg"
    })
public final class BenchCommand implements Callable<Integer> {

  private static final int MOST_THREADS = 1000;
  private static final int MOST_ROUNDS = 100;
  private static final Duration SHORTEST = Duration.ofMillis(50);

  /** The first connection to a busy server may take longer than an operation may. */
  private static final Duration ANSWER = Duration.ofSeconds(4);

  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Of the races with several; usually 16.")
  private int threads = 16;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Of a round; usually 1s.")
  private Duration time = Duration.ofSeconds(1);

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Beside the one to warm up; usually 3.")
  private int rounds = 3;

  @Option(names = "--svg", paramLabel = "FILE", description = "Writes the figures as bars.")
  private @Nullable Path svg;

  @Option(names = "--peers", description = "Says how other libraries are measured beside it.")
  private boolean peers;

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  /** For picocli. */
  public BenchCommand() {}

  @Override
  public Integer call() throws Exception {
    if (peers) {
      throw new CliException(
          ExitCode.USAGE,
          "the other libraries are not in this program: in a checkout, run './holdfast bench redis',"
              + " or another suite; './holdfast bench --peers --help' has them");
    }
    requireSense();
    boolean fifo;
    String namespace;
    try (Holdfast holdfast = store.open()) {
      requireAnswer(holdfast);
      fifo = holdfast.traits().orders().contains(Order.FIFO);
      namespace = holdfast.options().namespace();
    }
    Screen out = Screen.out();
    OwnStore.Outcome outcome = measureOrTell(fifo, namespace, out.isColoured());
    out.print(json ? outcome.json() : outcome.table());
    write(outcome.svg());
    if (outcome.broken()) {
      throw new CliException(
          ExitCode.INTERNAL, "the locks did what they must not: see the faults above");
    }
    return ExitCode.OK;
  }

  /**
   * Takes a lock and gives it back: a store that is away or refuses is no matter of figures.
   *
   * @throws HoldfastException what the store said
   */
  private static void requireAnswer(Holdfast holdfast) throws InterruptedException {
    String name = "holdfast-bench-" + UUID.randomUUID();
    try (Hold hold = holdfast.lock(name).acquire(ANSWER)) {
      hold.ensureHeld();
    }
  }

  /** Where something is wrong with the figures the store is asked again: it may have gone. */
  private OwnStore.Outcome measureOrTell(boolean fifo, String namespace, boolean coloured)
      throws Exception {
    OwnStore.Outcome outcome;
    try {
      outcome = measure(fifo, namespace, coloured);
    } catch (RuntimeException | IOException e) {
      requireAnswer();
      throw e;
    }
    if (outcome.broken()) {
      requireAnswer();
    }
    return outcome;
  }

  private void requireAnswer() throws InterruptedException {
    try (Holdfast holdfast = store.open()) {
      requireAnswer(holdfast);
    }
  }

  private OwnStore.Outcome measure(boolean fifo, String namespace, boolean coloured)
      throws Exception {
    try (CleanEnd end = new CleanEnd();
        ProgressBar bar = new ProgressBar(Screen.err())) {
      Path folder = Files.createTempDirectory("holdfast-bench-");
      try {
        return new OwnStore(store.address().uri(), namespace, folder)
            .measure(fifo, threads, time, rounds, coloured, bar::show);
      } finally {
        Files.deleteIfExists(folder);
      }
    }
  }

  private void requireSense() {
    if (threads < 1 || threads > MOST_THREADS || rounds < 1 || rounds > MOST_ROUNDS) {
      throw new CliException(
          ExitCode.USAGE, "--threads must be 1.." + MOST_THREADS + ", --rounds 1.." + MOST_ROUNDS);
    }
    if (time.compareTo(SHORTEST) < 0) {
      throw new CliException(ExitCode.USAGE, "--time must be at least 50ms");
    }
    // Looked at before the run, which would be lost otherwise.
    if (svg != null && (Files.isDirectory(svg) || !Files.isDirectory(folderOf(svg)))) {
      throw new CliException(
          ExitCode.USAGE, "--svg must be a file in a folder that is there: " + svg);
    }
  }

  private static Path folderOf(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? file : folder;
  }

  private void write(String chart) throws IOException {
    if (svg != null) {
      Files.writeString(svg, chart);
    }
  }
}
