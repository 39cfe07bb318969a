package io.holdfast.torture;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The torture program's front door; see {@link TortureOptions#USAGE}. */
public final class Torture {
  private static final int FOUND = 1;
  private static final int BAD_OPTION = 64;
  private static final int CANNOT_RUN = 69;

  /** How long the process inside may take to end its children when this one is asked to end. */
  private static final Duration ENDING = Duration.ofSeconds(30);

  private Torture() {}

  /** Runs and exits. */
  public static void main(String[] arguments) throws Exception {
    System.exit(run(List.of(arguments), System.out, System.err));
  }

  /** Runs; returns the exit code. */
  static int run(List<String> words, PrintStream out, PrintStream err) throws Exception {
    TortureOptions options;
    try {
      options = TortureOptions.parse(words);
    } catch (BadOptionException e) {
      err.println("torture: " + e.getMessage());
      return BAD_OPTION;
    }
    if (options.help()) {
      out.print(TortureOptions.USAGE);
      return 0;
    }
    if (options.namespaces() && !options.isGiven() && !NetworkNamespaces.areInside()) {
      String obstacle = NetworkNamespaces.obstacle();
      if (obstacle.isEmpty()) {
        return runInside(words, options.seed());
      }
      err.println("torture: no network namespaces on this machine: " + obstacle);
    }
    try {
      return torture(options, out, err);
    } catch (IllegalStateException | AssertionError e) {
      err.println("torture: " + e.getMessage());
      return CANNOT_RUN;
    }
  }

  /**
   * Runs this program once more in a network namespace of its own, which ends with it. Ctrl-C
   * reaches both; another signal is passed on; if this process is killed, the kernel ends the
   * other.
   */
  private static int runInside(List<String> words, long seed) throws Exception {
    List<String> command = new ArrayList<>(NetworkNamespaces.enter());
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Torture.class.getName()));
    command.addAll(words);
    command.add("--seed=" + seed);
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put(NetworkNamespaces.variable(), "1");
    Process inside = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(inside), "torture-end"));
    return inside.waitFor();
  }

  private static void end(Process inside) {
    inside.destroy();
    try {
      if (!inside.waitFor(ENDING.toSeconds(), TimeUnit.SECONDS)) {
        inside.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int torture(TortureOptions options, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("holdfast-torture-");
    boolean keep = options.keep();
    if (NetworkNamespaces.areInside()) {
      NetworkNamespaces.begin();
    }
    Thread clearing = new Thread(() -> delete(folder), "torture-clearing");
    Runtime.getRuntime().addShutdownHook(clearing);
    try (StoreUnderTest store = start(options);
        Network network = network(options, store)) {
      out.printf(
          "torture of %s: %.1f minutes, seed %d, lease %.1f s, %d workers with %d threads%n",
          options.label(),
          options.time().toMillis() / 60_000.0,
          options.seed(),
          options.lease().toMillis() / 1000.0,
          options.workers(),
          options.threads());
      out.println("links: " + network.description());
      Progress progress = new Progress(err);
      Optional<Suspensions> suspensions = suspensions(folder, out);
      Report report = new TortureRun(options, store, network, folder, suspensions, progress).run();
      keep |= !report.passed();
      out.print(report.text());
      if (options.json().isPresent()) {
        Files.writeString(options.json().get(), report.json());
      }
      return report.passed() ? 0 : FOUND;
    } finally {
      if (keep) {
        Runtime.getRuntime().removeShutdownHook(clearing);
        out.println("logs: " + folder);
      } else {
        delete(folder);
      }
    }
  }

  private static Optional<Suspensions> suspensions(Path folder, PrintStream out) {
    try {
      return Optional.of(Suspensions.create(folder));
    } catch (IllegalStateException e) {
      out.println("hosts are not suspended: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static StoreUnderTest start(TortureOptions options) {
    return options.isGiven()
        ? ConfiguredStore.given(options.store())
        : Stores.start(options.store(), options.lease());
  }

  private static Network network(TortureOptions options, StoreUnderTest store) {
    if (options.isGiven()) {
      return new DirectLinks("the servers are not this program's");
    }
    if (NetworkNamespaces.areInside()) {
      return NetworkNamespaces.create(options.workers());
    }
    return store.portsAreInUri()
        ? new Proxies(options.workers(), store.ports())
        : new DirectLinks("servers redirect clients to addresses without a proxy");
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(Torture::deleteOne);
    } catch (IOException e) {
      // Already gone.
    }
  }

  private static void deleteOne(Path file) {
    try {
      boolean ignored = Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
