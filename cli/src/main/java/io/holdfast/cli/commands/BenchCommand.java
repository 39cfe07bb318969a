package io.holdfast.cli.commands;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.cli.CliException;
import io.holdfast.cli.Colours;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Screen;
import io.holdfast.cli.bench.StoreBench;
import io.holdfast.cli.store.StoreOption;
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

/** {@code bench}: measures how fast locks are at a store. */
@Command(
    name = "bench",
    description = {
      "Measures how fast locks are at this store, from this machine.",
      "The store is under load while it runs; nothing is left behind. A checkout also compares it"
          + " with other libraries: see './holdfast bench --peers --help'."
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
      description = "Threads of the races with several; default 16.")
  private int threads = 16;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Length of a round; default 1s.")
  private Duration time = Duration.ofSeconds(1);

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds after the warm-up; default 3.")
  private int rounds = 3;

  @Option(names = "--svg", paramLabel = "FILE", description = "Writes a bar chart.")
  private @Nullable Path svg;

  @Option(names = "--peers", description = "Explains how to compare other libraries.")
  private boolean peers;

  @Option(names = "--json", description = "Print one JSON object.")
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
    StoreBench.Outcome outcome = measureOrTell(fifo, namespace, out.colours());
    out.print(json ? outcome.json() : outcome.table());
    write(outcome.svg());
    if (outcome.broken()) {
      throw new CliException(
          ExitCode.INTERNAL, "the locks broke their promises: see the faults above");
    }
    return ExitCode.OK;
  }

  /**
   * Acquires and releases a lock, so that an unreachable or refusing store is reported as such.
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
  private StoreBench.Outcome measureOrTell(boolean fifo, String namespace, Colours colours)
      throws Exception {
    StoreBench.Outcome outcome;
    try {
      outcome = measure(fifo, namespace, colours);
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

  private StoreBench.Outcome measure(boolean fifo, String namespace, Colours colours)
      throws Exception {
    try (CleanupOnSignal end = new CleanupOnSignal();
        ProgressBar bar = new ProgressBar(Screen.err())) {
      Path folder = Files.createTempDirectory("holdfast-bench-");
      try {
        return new StoreBench(store.address().uri(), namespace, folder)
            .measure(fifo, threads, time, rounds, colours, bar::show);
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
      throw new CliException(ExitCode.USAGE, "--svg must be a file in an existing folder: " + svg);
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
