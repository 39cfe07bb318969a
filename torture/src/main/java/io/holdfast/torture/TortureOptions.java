package io.holdfast.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * What the command line asks for.
 *
 * @param store a word of {@link Stores} or an address; an address may hold secrets
 */
record TortureOptions(
    String store,
    Duration time,
    long seed,
    Duration lease,
    int workers,
    int threads,
    Set<PlantedBug> planted,
    boolean namespaces,
    Optional<Path> json,
    boolean keep,
    boolean help) {

  static final String USAGE =
      """
      Usage: ./holdfast torture --store STORE [options]

      Lets several JVMs fight for the same locks while they are stopped and killed, their
      links are cut, and servers die, hang and fail over. Says whether two ever believed at
      once, whether a guard let a stale write in, whether a token came twice, whether a wait
      did not end, and what was left in the store. docs/reliability.md says more.

        --store STORE     redis, redis-sentinel, redis-cluster (both in the strict profile),
                          redis-sentinel-default, redis-cluster-default, postgresql, mysql,
                          mariadb, zookeeper or etcd (three servers each): servers of the
                          run's own. Or the address of a store: then only workers are
                          stopped and killed
        --minutes N       how long faults are made; 10 if not given, 0.1 to 600
        --seed N          what is drawn; printed if not given
        --lease N         of the locks, in seconds; 5 if not given, 2 to 60
        --workers N       how many JVMs; 4 if not given, 2 to 16
        --threads N       of each of them; 6 if not given, 1 to 32
        --planted WHAT    break something on purpose, which must be found: deadline, owner,
                          tokens, guard, leftover, wait, or several with commas
        --no-namespaces   break links by proxies, also where network namespaces can be made
        --json FILE       write what came out for programs, too
        --keep            keep the logs of the run, even when nothing was found

      Ends with 0 if nothing was found but known limits of the store, 1 if there was more.
      """;

  /** Reads a command line. */
  static TortureOptions parse(List<String> words) {
    String store = "";
    double minutes = 10;
    long seed = new Random().nextInt(1_000_000);
    double lease = 5;
    int workers = 4;
    int threads = 6;
    Set<PlantedBug> planted = EnumSet.noneOf(PlantedBug.class);
    boolean namespaces = true;
    Optional<Path> json = Optional.empty();
    boolean keep = false;
    boolean help = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String name = equals < 0 ? word : word.substring(0, equals);
      switch (name) {
        case "--help", "-h" -> help = true;
        case "--no-namespaces" -> namespaces = false;
        case "--keep" -> keep = true;
        case "--store",
            "--minutes",
            "--seed",
            "--lease",
            "--workers",
            "--threads",
            "--planted",
            "--json" -> {
          if (equals < 0 && i + 1 == words.size()) {
            throw new BadOptionException(name + " needs a value; see --help");
          }
          String value = equals < 0 ? words.get(++i) : word.substring(equals + 1);
          switch (name) {
            case "--store" -> store = value;
            case "--minutes" -> minutes = number(name, value, 0.1, 600);
            case "--seed" -> seed = (long) number(name, value, 0, 1e15);
            case "--lease" -> lease = number(name, value, 2, 60);
            case "--workers" -> workers = (int) number(name, value, 2, 16);
            case "--threads" -> threads = (int) number(name, value, 1, 32);
            case "--planted" -> planted = PlantedBug.parse(value);
            default -> json = Optional.of(Path.of(value));
          }
        }
        default -> throw new BadOptionException("no such option: " + name + "; see --help");
      }
    }
    if (!help) {
      checkStore(store);
    }
    return new TortureOptions(
        store,
        Duration.ofMillis((long) (minutes * 60_000)),
        seed,
        Duration.ofMillis((long) (lease * 1000)),
        workers,
        threads,
        planted,
        namespaces,
        json,
        keep,
        help);
  }

  private static void checkStore(String store) {
    if (store.isEmpty()) {
      throw new BadOptionException("--store is needed; see --help");
    }
    if (store.equals("memory") || store.startsWith("memory:")) {
      throw new BadOptionException(
          "memory: is one process's own, and this is about several processes; use another store");
    }
    if (store.indexOf(':') < 0 && !Stores.WORDS.contains(store)) {
      throw new BadOptionException(
          "--store must be one of "
              + Stores.WORDS.stream().sorted().toList()
              + ", or an address: --store="
              + store);
    }
  }

  private static double number(String name, String value, double least, double most) {
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadOptionException(
        "%s must be a number from %s to %s: %s=%s"
            .formatted(name, plain(least), plain(most), name, value));
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  /** Whether the servers are somebody else's. */
  boolean isGiven() {
    return store.indexOf(':') >= 0;
  }

  /** The store without secrets. */
  String label() {
    return isGiven() ? store.substring(0, store.indexOf(':')) + ": (an address)" : store;
  }
}
