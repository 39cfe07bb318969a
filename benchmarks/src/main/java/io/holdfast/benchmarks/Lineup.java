package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Makes races: who takes part, and how each gets to the start line. */
final class Lineup {

  private final Path folder;
  private final Function<StoreKind, String> own;

  /** Locks that another run left behind must not be in the way of this one. */
  private final String run = "bench-" + Long.toHexString(ThreadLocalRandom.current().nextLong());

  private int races;

  /**
   * A line-up of a run.
   *
   * @param folder of the run
   * @param own starts a store of this kind, if there is none yet, and answers its URI
   */
  Lineup(Path folder, Function<StoreKind, String> own) {
    this.folder = folder;
    this.own = own;
  }

  /**
   * The race that the options ask for: stores, then peers, then the floors that are not there yet.
   *
   * @throws BadOptionException when a contender cannot take part
   */
  Race of(Options options) {
    List<Entrant> entrants = new ArrayList<>();
    for (String store : options.stores()) {
      entrants.add(Entrant.holdfast(uri(store), options.order()));
    }
    for (String peer : options.peers()) {
      entrants.add(Entrant.peer(peer, store(options, Peers.stores(peer))));
    }
    Setup setup = options.setup();
    return race(setup.title(), setup, entrants, /* floors= */ true);
  }

  /** The URI of a store of this kind: the first of the options', or one of the run's own. */
  String store(Options options, StoreKind kind) {
    return store(options, List.of(kind));
  }

  /** As {@link #store(Options, StoreKind)}, for whom several would do; empty if none is needed. */
  private String store(Options options, List<StoreKind> kinds) {
    return kinds.isEmpty()
        ? ""
        : options.stores().stream()
            .filter(store -> StoreKind.of(store).filter(kinds::contains).isPresent())
            .findFirst()
            .map(this::uri)
            .orElseGet(() -> own.apply(kinds.get(0)));
  }

  private String uri(String store) {
    return StoreKind.of(store).filter(kind -> kind.isOwn(store)).map(own).orElse(store);
  }

  /** A race of these alone. */
  Race of(String heading, Setup setup, Entrant... entrants) {
    return race(heading, setup, List.of(entrants), /* floors= */ false);
  }

  private Race race(String heading, Setup setup, List<Entrant> entrants, boolean floors) {
    races++;
    List<Racer> racers = new ArrayList<>();
    for (Entrant entrant : entrants) {
      requireFit(setup, entrant.contender());
      add(racers, setup, entrant, /* floor= */ false);
    }
    if (floors) {
      entrants.stream()
          .flatMap(entrant -> entrant.contender().floor().stream())
          .map(Entrant::peer)
          .distinct()
          .filter(floor -> fits(setup, floor.contender()) && !entrants.contains(floor))
          .forEach(floor -> add(racers, setup, floor, /* floor= */ true));
    }
    return new Race(heading, setup, racers);
  }

  private static boolean fits(Setup setup, Contender contender) {
    return !setup.mode().hasProcesses() || contender.acrossProcesses();
  }

  private static void requireFit(Setup setup, Contender contender) {
    if (!fits(setup, contender)) {
      throw new BadOptionException(
          "--mode "
              + setup.mode().word()
              + " needs contenders that processes can share; "
              + contender.name()
              + " keeps its locks within one process: name another with --store or --peers");
    }
  }

  private void add(List<Racer> racers, Setup setup, Entrant entrant, boolean floor) {
    String name = entrant.contender().name();
    String prefix = run + "/" + races + "." + racers.size();
    if (setup.mode() == Mode.HELD) {
      // Peers keep their usual lease: not all of them can renew so often.
      Entrant renewed =
          entrant.isHoldfast() ? entrant.withLease(HeldRunner.lease(setup.time())) : entrant;
      for (int count : new int[] {0, setup.held()}) {
        String label = heldName(name, count);
        Racer.Start start = () -> held(renewed, prefix, count, setup.threads());
        racers.add(new Racer(distinct(racers, label), floor, start));
      }
    } else {
      Racer.Start start = () -> connect(setup, entrant, prefix);
      racers.add(new Racer(distinct(racers, name), floor, start));
    }
  }

  /** What a contender is called that holds so many locks. */
  static String heldName(String name, int count) {
    return "%s, %s held".formatted(name, Units.count(count));
  }

  private static String distinct(List<Racer> racers, String name) {
    Set<String> taken = racers.stream().map(Racer::name).collect(Collectors.toSet());
    String distinct = name;
    for (int i = 2; taken.contains(distinct); i++) {
      distinct = name + " #" + i;
    }
    return distinct;
  }

  private Runner connect(Setup setup, Entrant entrant, String prefix) throws Exception {
    int threads = setup.threads();
    int processes = setup.processes();
    Duration section = setup.section();
    return switch (setup.mode()) {
      case OWN -> threads(entrant, Workload.own(prefix, threads, section));
      case MIXED -> threads(entrant, Workload.mixed(prefix, threads, section));
      case SHARED -> threads(entrant, Workload.shared(prefix, threads, section));
      case PROCESSES ->
          ProcessRunner.start(
              entrant, Workload.shared(prefix, threads, section), processes, folder);
      case PROCESSES_OWN ->
          ProcessRunner.start(
              entrant, Workload.own(prefix, processes, threads, section), processes, folder);
      case COLD -> new ColdRunner(entrant, prefix, folder);
      case HELD -> throw new IllegalArgumentException("not for held locks");
    };
  }

  private Runner threads(Entrant entrant, Workload workload) throws Exception {
    ConnectionCount connections = count(entrant);
    connections.begin();
    Runner runner = new ThreadRunner(entrant.contender().open(folder), workload);
    connections.look();
    return new CountedRunner(runner, connections);
  }

  private Runner held(Entrant entrant, String prefix, int count, int takers) throws Exception {
    ConnectionCount connections = count(entrant);
    connections.begin();
    Contender.Session session = entrant.contender().open(folder);
    connections.look();
    return new HeldRunner(session, prefix, count, takers, connections);
  }

  private static ConnectionCount count(Entrant entrant) {
    return new ConnectionCount(
        StoreKind.of(entrant.store())
            .flatMap(
                kind ->
                    switch (kind) {
                      case REDIS -> RedisAddress.ifPlain(entrant.store()).map(RedisClients::new);
                      case POSTGRES, MARIADB ->
                          Optional.of(new DatabaseClients(Database.of(entrant.store())));
                      case ETCD, ZOOKEEPER, SQLITE -> Optional.<Supplier<Set<String>>>empty();
                    }));
  }

  /** Holdfast over the store of this process. */
  static Entrant memory(Order order) {
    return Entrant.holdfast("memory:", order);
  }
}
