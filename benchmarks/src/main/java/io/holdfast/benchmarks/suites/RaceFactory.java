package io.holdfast.benchmarks.suites;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.benchmarks.runners.ColdStartRunner;
import io.holdfast.benchmarks.runners.HeldRunner;
import io.holdfast.benchmarks.runners.ProcessRunner;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.bench.ConnectionCount;
import io.holdfast.cli.bench.ConnectionCountingRunner;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceEntry;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.StoreKind;
import io.holdfast.cli.bench.ThreadRunner;
import io.holdfast.cli.bench.Units;
import io.holdfast.cli.bench.Workload;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Creates races and decides how each contender is connected and run. */
public final class RaceFactory {

  private final Path folder;
  private final Function<StoreKind, String> own;

  /** Locks that another run left behind must not be in the way of this one. */
  private final String run = "bench-" + Long.toHexString(ThreadLocalRandom.current().nextLong());

  private int races;

  /**
   * A line-up of a run.
   *
   * @param folder of the run
   * @param own starts a store of this kind, if there is none yet, and returns its URI
   */
  public RaceFactory(Path folder, Function<StoreKind, String> own) {
    this.folder = folder;
    this.own = own;
  }

  /**
   * Returns a race of stores, then peers, then the floors that are not among them.
   *
   * @throws CliException if a contender cannot take part
   */
  public Race of(List<String> stores, List<String> peers, Order order, RaceSetup setup) {
    List<ContenderSpec> specs = new ArrayList<>();
    for (String store : stores) {
      specs.add(ContenderSpec.holdfast(uri(store), order));
    }
    for (String peer : peers) {
      specs.add(ContenderSpec.peer(peer, store(stores, Peers.stores(peer))));
    }
    return race(setup.title(), setup, specs, /* floors= */ true);
  }

  /** Returns the first of these stores of this kind, or starts one for the run. */
  public String store(List<String> stores, StoreKind kind) {
    return store(stores, List.of(kind));
  }

  /** The same for several kinds that would do; empty if none is needed. */
  private String store(List<String> stores, List<StoreKind> kinds) {
    return kinds.isEmpty()
        ? ""
        : stores.stream()
            .filter(store -> StoreKind.of(store).filter(kinds::contains).isPresent())
            .findFirst()
            .map(this::uri)
            .orElseGet(() -> own.apply(kinds.get(0)));
  }

  private String uri(String store) {
    return StoreKind.of(store).filter(kind -> kind.isOwn(store)).map(own).orElse(store);
  }

  /** A race of these alone. */
  public Race of(String heading, RaceSetup setup, ContenderSpec... specs) {
    return race(heading, setup, List.of(specs), /* floors= */ false);
  }

  private Race race(String heading, RaceSetup setup, List<ContenderSpec> specs, boolean floors) {
    races++;
    List<RaceEntry> entries = new ArrayList<>();
    for (ContenderSpec spec : specs) {
      requireFit(setup, spec.contender());
      add(entries, setup, spec, /* floor= */ false);
    }
    if (floors) {
      specs.stream()
          .flatMap(spec -> spec.floor().stream())
          .map(ContenderSpec::peer)
          .distinct()
          .filter(floor -> fits(setup, floor.contender()) && !specs.contains(floor))
          .forEach(floor -> add(entries, setup, floor, /* floor= */ true));
    }
    return new Race(heading, setup, entries);
  }

  private static boolean fits(RaceSetup setup, Contender contender) {
    return !setup.mode().hasProcesses() || contender.acrossProcesses();
  }

  private static void requireFit(RaceSetup setup, Contender contender) {
    if (!fits(setup, contender)) {
      throw new CliException(
          ExitCode.USAGE,
          "--mode "
              + setup.mode().word()
              + " needs contenders that processes can share; "
              + contender.name()
              + " keeps its locks within one process: name another with --store or --peers");
    }
  }

  private void add(List<RaceEntry> entries, RaceSetup setup, ContenderSpec spec, boolean floor) {
    String name = spec.contender().name();
    String prefix = run + "/" + races + "." + entries.size();
    if (setup.mode() == LoadMode.HELD) {
      // Peers keep their usual lease: not all of them can renew so often.
      ContenderSpec renewed =
          spec.isHoldfast() ? spec.withLease(HeldRunner.lease(setup.time())) : spec;
      for (int count : new int[] {0, setup.held()}) {
        String label = heldName(name, count);
        RaceEntry.Start start = () -> held(renewed, prefix, count, setup.threads());
        entries.add(new RaceEntry(distinct(entries, label), floor, start));
      }
    } else {
      RaceEntry.Start start = () -> connect(setup, spec, prefix);
      entries.add(new RaceEntry(distinct(entries, name), floor, start));
    }
  }

  /** What a contender is called that holds so many locks. */
  static String heldName(String name, int count) {
    return "%s, %s held".formatted(name, Units.count(count));
  }

  private static String distinct(List<RaceEntry> entries, String name) {
    Set<String> taken = entries.stream().map(RaceEntry::name).collect(Collectors.toSet());
    String distinct = name;
    for (int i = 2; taken.contains(distinct); i++) {
      distinct = name + " #" + i;
    }
    return distinct;
  }

  private RoundRunner connect(RaceSetup setup, ContenderSpec spec, String prefix) throws Exception {
    int threads = setup.threads();
    int processes = setup.processes();
    Duration section = setup.section();
    return switch (setup.mode()) {
      case OWN -> threads(spec, Workload.own(prefix, threads, section));
      case MIXED -> threads(spec, Workload.mixed(prefix, threads, section));
      case SHARED -> threads(spec, Workload.shared(prefix, threads, section));
      case PROCESSES ->
          ProcessRunner.start(spec, Workload.shared(prefix, threads, section), processes, folder);
      case PROCESSES_OWN ->
          ProcessRunner.start(
              spec, Workload.own(prefix, processes, threads, section), processes, folder);
      case COLD -> new ColdStartRunner(spec, prefix, folder);
      case HELD -> throw new IllegalArgumentException("not for held locks");
    };
  }

  private RoundRunner threads(ContenderSpec spec, Workload workload) throws Exception {
    return ConnectionCountingRunner.start(
        spec.store(), () -> new ThreadRunner(spec.contender().open(folder), workload));
  }

  private RoundRunner held(ContenderSpec spec, String prefix, int count, int takers)
      throws Exception {
    ConnectionCount connections = ConnectionCount.at(spec.store());
    connections.begin();
    Contender.Session session = spec.contender().open(folder);
    connections.look();
    return new HeldRunner(session, prefix, count, takers, connections);
  }

  /** Holdfast over the store of this process. */
  public static ContenderSpec memory(Order order) {
    return ContenderSpec.holdfast("memory:", order);
  }
}
