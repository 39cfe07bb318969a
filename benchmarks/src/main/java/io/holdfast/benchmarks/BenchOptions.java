package io.holdfast.benchmarks;

import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.benchmarks.runners.HeldRunner;
import io.holdfast.benchmarks.suites.Suite;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.cli.bench.StoreKind;
import io.holdfast.cli.store.StoreArgument;
import io.holdfast.spi.Order;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a run is to do.
 *
 * @param suite what to run; none if a race was put together by hand
 * @param only what the headings of a suite's races must contain to be run
 * @param stores URIs; may hold secrets
 * @param check whether a missed bar of the suite fails the run
 */
record BenchOptions(
    boolean help,
    Optional<Suite> suite,
    Optional<String> only,
    List<String> stores,
    List<String> peers,
    Order order,
    RaceSetup setup,
    Optional<Path> json,
    Optional<Path> svg,
    boolean profile,
    boolean check) {

  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Duration LONGEST_SECTION = Duration.ofSeconds(1);
  private static final int MOST_ROUNDS = 100;
  private static final int MOST_THREADS = 1000;
  private static final int MOST_PROCESSES = 16;
  private static final int MOST_HELD = 1_000_000;

  /** What a race is made of; any of these, and it is not a suite. */
  private static final List<String> OF_A_RACE =
      List.of(
          "--store",
          "--peers",
          "--mode",
          "--threads",
          "--processes",
          "--held",
          "--order",
          "--section");

  private static final List<String> OF_ANY_RUN =
      List.of("--only", "--seconds", "--rounds", "--json", "--svg");
  private static final Set<String> FLAGS = Set.of("--help", "-h", "--check", "--profile");
  private static final Set<String> REPEATABLE = Set.of("--store");

  BenchOptions {
    stores = List.copyOf(stores);
    peers = List.copyOf(peers);
  }

  /**
   * Reads a command line.
   *
   * @throws CliException naming the value and the rule
   */
  static BenchOptions parse(List<String> line) {
    List<String> words = PeersShortcut.asSuite(line, System.getenv("HOLDFAST_STORE"));
    Optional<Suite> named = words.stream().limit(1).flatMap(w -> Suite.named(w).stream()).findAny();
    List<String> known = new ArrayList<>(OF_A_RACE);
    known.addAll(OF_ANY_RUN);
    Arguments arguments =
        Arguments.parse(
            words.subList(named.isPresent() ? 1 : 0, words.size()),
            Set.copyOf(known),
            FLAGS,
            REPEATABLE);
    Optional<Suite> suite = named.isPresent() ? named : usual(arguments);
    requireFit(arguments, named, suite);
    List<String> peers = peers(arguments);
    // Who names peers alone wants to see them alone.
    List<String> usual = peers.isEmpty() ? List.of("memory:") : List.of();
    return new BenchOptions(
        arguments.has("--help") || arguments.has("-h"),
        suite,
        arguments.text("--only"),
        arguments.has("--store") ? stores(arguments) : usual,
        peers,
        arguments.choice("--order", Order.class, Order.ANY),
        setup(arguments, suite),
        file(arguments, "--json"),
        file(arguments, "--svg"),
        arguments.has("--profile"),
        arguments.has("--check"));
  }

  private static Optional<Suite> usual(Arguments arguments) {
    return OF_A_RACE.stream().anyMatch(arguments::has)
        ? Optional.empty()
        : Optional.of(Suite.MEMORY);
  }

  private static void requireFit(
      Arguments arguments, Optional<Suite> named, Optional<Suite> suite) {
    for (String option : List.of("--check", "--only")) {
      if (arguments.has(option) && suite.isEmpty()) {
        throw new CliException(
            ExitCode.USAGE,
            option + " is about the races of a suite: it goes with none of " + OF_A_RACE);
      }
    }
    List<String> given = OF_A_RACE.stream().filter(arguments::has).toList();
    boolean server =
        given.equals(List.of("--store"))
            && named.flatMap(Suite::store).filter(kind -> isOf(kind, arguments)).isPresent();
    if (named.isPresent() && !given.isEmpty() && !server) {
      throw new CliException(
          ExitCode.USAGE,
          "the suite %s has its own races: it does not go with %s"
              .formatted(named.get().word(), given));
    }
  }

  /** Whether one store is given, and of this kind. */
  private static boolean isOf(StoreKind kind, Arguments arguments) {
    List<String> stores = stores(arguments);
    return stores.size() == 1 && StoreKind.of(stores.get(0)).equals(Optional.of(kind));
  }

  private static List<String> stores(Arguments arguments) {
    String environment = System.getenv("HOLDFAST_STORE");
    return arguments.all("--store").stream()
        .map(word -> StoreArgument.uri(word, environment))
        .toList();
  }

  private static List<String> peers(Arguments arguments) {
    List<String> peers =
        arguments.text("--peers").map(all -> List.of(all.split(",", -1))).orElse(List.of());
    peers.forEach(Peers::requireKnown);
    return peers;
  }

  private static RaceSetup setup(Arguments arguments, Optional<Suite> suite) {
    LoadMode mode = arguments.choice("--mode", LoadMode.class, LoadMode.OWN);
    requireFit(arguments, mode);
    boolean processes = mode.hasProcesses();
    boolean held = mode == LoadMode.HELD;
    Duration usual =
        suite.map(Suite::time).orElse(held ? HeldRunner.LONG_ENOUGH : RaceSetup.USUAL_TIME);
    Duration section = arguments.time("--section", LONGEST_SECTION, Duration.ZERO);
    Duration shortest = held ? HeldRunner.LONG_ENOUGH : SHORTEST;
    Duration time = arguments.seconds("--seconds", shortest, LONGEST, usual);
    int rounds = suite.map(Suite::rounds).orElse(RaceSetup.USUAL_ROUNDS);
    return new RaceSetup(
        mode,
        arguments.number("--threads", 1, MOST_THREADS, processes ? 4 : 16),
        processes ? arguments.number("--processes", 1, MOST_PROCESSES, 3) : 1,
        held ? arguments.number("--held", 1, MOST_HELD, 10_000) : 0,
        section,
        time,
        arguments.number("--rounds", 1, MOST_ROUNDS, rounds));
  }

  private static void requireFit(Arguments arguments, LoadMode mode) {
    if (arguments.has("--processes") && !mode.hasProcesses()) {
      throw new CliException(ExitCode.USAGE, "--processes needs --mode processes or processes-own");
    }
    if (arguments.has("--held") && mode != LoadMode.HELD) {
      throw new CliException(ExitCode.USAGE, "--held needs --mode held");
    }
    boolean alone = mode == LoadMode.HELD || mode == LoadMode.COLD;
    if (arguments.has("--section") && alone) {
      throw new CliException(
          ExitCode.USAGE,
          "--section does not go with --mode %s: its caller is alone".formatted(mode.word()));
    }
    if (arguments.has("--threads") && mode == LoadMode.COLD) {
      throw new CliException(
          ExitCode.USAGE, "--threads does not go with --mode cold: its caller is alone");
    }
    if (arguments.has("--profile") && (mode.hasProcesses() || mode == LoadMode.COLD)) {
      throw new CliException(
          ExitCode.USAGE,
          "--profile looks into this process: it does not go with --mode " + mode.word());
    }
  }

  /** Checked before the run, which would be lost otherwise. */
  private static Optional<Path> file(Arguments arguments, String option) {
    Optional<Path> file = arguments.text(option).map(Path::of);
    file.ifPresent(
        path -> {
          Path parent = path.toAbsolutePath().getParent();
          if (parent == null || !Files.isDirectory(parent) || Files.isDirectory(path)) {
            throw new CliException(
                ExitCode.USAGE,
                "%s must be a file in a folder that exists: %s=%s".formatted(option, option, path));
          }
        });
    return file;
  }
}
