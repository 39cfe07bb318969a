package io.holdfast.torture;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One run: workers compete under faults, then in calm; then the checkers judge. */
final class TortureRun {
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(500);
  private static final Duration CALM_FLOOR = Duration.ofSeconds(6);

  /** How long a process whose link was broken may need to listen again. */
  private static final long AFTER_A_BREAK = TimeUnit.SECONDS.toNanos(3);

  private final TortureOptions options;
  private final StoreUnderTest store;
  private final Network network;
  private final Path folder;
  private final Optional<Suspensions> suspensions;
  private final Progress progress;
  private final String namespace;

  TortureRun(
      TortureOptions options,
      StoreUnderTest store,
      Network network,
      Path folder,
      Optional<Suspensions> suspensions,
      Progress progress) {
    this.options = options;
    this.store = store;
    this.network = network;
    this.folder = folder;
    this.suspensions = suspensions;
    this.progress = progress;
    this.namespace = "torture-" + Long.toHexString(System.nanoTime());
  }

  /** Runs to its end; blocks for as long as the options say, and about half a minute more. */
  Report run() throws IOException, InterruptedException {
    Path socket = folder.resolve("resource.sock");
    boolean guarded = !options.planted().contains(PlantedBug.GUARD);
    try (GuardedResource resource = new GuardedResource(socket, guarded);
        Workers workers = new Workers(plan(socket), network, suspensions)) {
      long zero = System.nanoTime();
      for (int i = 0; i < workers.size(); i++) {
        workers.start(i);
      }
      FaultInjector injector =
          new FaultInjector(workers, network, store, options.seed(), options.lease());
      watch(workers, injector, "faults", Duration.ofSeconds(2));
      injector.start();
      watch(workers, injector, "faults", options.time());
      progress.say("healing");
      injector.stop();
      long calm = System.nanoTime();
      Duration two = options.lease().multipliedBy(2);
      Duration rest = two.compareTo(CALM_FLOOR) > 0 ? two : CALM_FLOOR;
      watch(workers, injector, "calm", rest.plus(store.quiet()));
      Map<String, String> lines = Leftovers.look(store.uri(), namespace, options.lease());
      progress.say("ending");
      workers.stop(options.lease().multipliedBy(2).plusSeconds(45));
      readLogs(workers);
      List<String> left = leftovers();
      writeFaults(injector.faults(), zero);
      return judge(workers, injector, resource, new Moments(zero, calm, lines), left);
    }
  }

  /**
   * When things began, and how it looked in the end.
   *
   * @param lines who stood in line for each name after the calm
   */
  private record Moments(long zero, long calm, Map<String, String> lines) {}

  /** For readers of the logs. */
  private void writeFaults(List<Fault> faults, long zero) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("seconds are counted from " + zero);
    faults.forEach(fault -> lines.add(fault.text(zero)));
    Files.write(folder.resolve("faults.txt"), lines);
  }

  private Workers.Plan plan(Path socket) {
    return new Workers.Plan(
        folder,
        socket,
        namespace,
        store.uri(),
        options.lease(),
        options.workers(),
        options.threads(),
        options.seed(),
        options.planted());
  }

  private void watch(Workers workers, FaultInjector injector, String phase, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(TICK, left));
      workers.replaceEnded();
      long grants = readLogs(workers);
      progress.say(
          "%s, %d s left: %,d grants, %,d faults"
              .formatted(phase, Math.max(0, left / 1_000_000_000), grants, injector.count()));
    }
  }

  private static long readLogs(Workers workers) {
    long grants = 0;
    for (Workers.Life life : workers.lives()) {
      life.log.read();
      grants += life.log.grants();
    }
    return grants;
  }

  private List<String> leftovers() throws InterruptedException {
    if (!options.planted().contains(PlantedBug.LEFTOVER)) {
      return Leftovers.await(store.uri(), namespace, options.lease());
    }
    HoldfastOptions own =
        HoldfastOptions.DEFAULTS.withNamespace(namespace).withLease(options.lease());
    try (Holdfast holdfast = Holdfast.connect(store.uri(), own);
        Hold ignored = holdfast.lock("left-behind").acquire(Duration.ofSeconds(10))) {
      return Leftovers.await(store.uri(), namespace, options.lease());
    }
  }

  private Report judge(
      Workers workers,
      FaultInjector injector,
      GuardedResource resource,
      Moments moments,
      List<String> left) {
    List<Fault> faults = injector.faults();
    List<Workers.Life> lives = workers.lives();
    List<Call> calls = new ArrayList<>();
    List<String> findings = new ArrayList<>();
    Set<String> known = new TreeSet<>();
    List<String> troubles = new ArrayList<>(workers.troubles());
    for (Workers.Life life : lives) {
      calls.addAll(life.log.calls());
      life.log.troubles().forEach(text -> troubles.add(life.log.process() + ": " + text));
      checkEnd(life, troubles);
    }
    List<OverlapChecker.Overlap> overlaps = new ArrayList<>();
    List<OverlapChecker.Overlap> knownOverlaps = new ArrayList<>();
    for (OverlapChecker.Overlap overlap : OverlapChecker.check(calls)) {
      List<Fault> causes = causes(faults, overlap.start(), overlap.end(), overlap.holders());
      (causes.isEmpty() ? overlaps : knownOverlaps).add(overlap);
      causes.forEach(
          cause -> known.add("holders that believed at once after " + cause.kind().word()));
    }
    addSome(
        findings,
        "overlaps",
        overlaps.stream().map(overlap -> text(overlap, faults, moments.zero)).toList());
    Set<String> refused = new LinkedHashSet<>();
    for (Workers.Life life : lives) {
      for (Call call : life.log.refusedWhileHeld()) {
        if (causes(faults, call.believed, call.believed, List.of(call)).isEmpty()) {
          refused.add(call.testedLock.name() + ": the guard refused " + call + ", which was held");
        }
      }
    }
    addSome(findings, "holders that were refused", List.copyOf(refused));
    addSome(
        findings,
        "stale writes that were accepted",
        resource.acceptedStale(),
        resource.staleAccepted());
    List<TokenChecker.WrongToken> tokens = TokenChecker.check(calls);
    addSome(findings, "wrong tokens", tokens.stream().map(Object::toString).toList());
    WaitChecker.Result waits = new WaitChecker(faults).check(lives);
    addSome(findings, "calls that never returned", waits.never());
    addSome(findings, "calls that returned late", waits.late());
    addSome(findings, "leftovers in the store", left);
    addSome(findings, "idle in calm", idleInCalm(calls, lives, moments));
    addSome(findings, "troubles", troubles);
    addSome(findings, "faults that could not be made or undone", injector.failures());
    return new Report(
        options.label(),
        options.time().toMillis() / 60_000.0,
        options.seed(),
        options.lease().toMillis() / 1000.0,
        options.workers(),
        network.description(),
        calls.size(),
        calls.stream().filter(Call::isGranted).count(),
        calls.stream().filter(call -> call.told != 0).count(),
        injector.byKind(),
        Report.Overlaps.of(overlaps),
        Report.Overlaps.of(knownOverlaps),
        resource.accepted(),
        resource.refused(),
        resource.acceptedStale(),
        tokens.size(),
        left.size(),
        waits.never().size() + waits.late().size(),
        waits.longestLateMillis(),
        findings,
        List.copyOf(known));
  }

  /** Known causes of what happened to holders in a time. */
  private List<Fault> causes(List<Fault> faults, long start, long end, List<Call> holders) {
    return faults.stream()
        .filter(
            fault -> {
              long since = fault.start() - AFTER_A_BREAK;
              boolean hampered =
                  faults.stream()
                      .filter(other -> other.touches(since, start))
                      .anyMatch(other -> holders.stream().anyMatch(other::hampers));
              return store.known().stream()
                  .anyMatch(limit -> limit.explains(fault, start, end, options.lease(), hampered));
            })
        .toList();
  }

  private String text(OverlapChecker.Overlap overlap, List<Fault> faults, long zero) {
    long before = overlap.start() - 2 * options.lease().toNanos();
    List<String> around =
        faults.stream()
            .filter(fault -> fault.touches(before, overlap.end()))
            .map(fault -> fault.text(zero))
            .toList();
    return "%s at %.3f s for %.1f ms: %s; before that: %s"
        .formatted(
            overlap.name(),
            (overlap.start() - zero) / 1e9,
            overlap.millis(),
            overlap.holders(),
            around);
  }

  /** A process that was not killed must say that it is well and holds nothing. */
  private static void checkEnd(Workers.Life life, List<String> troubles) {
    LogReader log = life.log;
    if (log.startedAt() != 0
        && (log.startedAt() < life.launched || (life.over != 0 && log.startedAt() > life.over))) {
      troubles.add(
          log.process() + ": its clock is not ours, so its times mean nothing; is this Linux?");
    }
    if (life.killed) {
      return;
    }
    if (!log.ended() || log.health().isEmpty()) {
      troubles.add(log.process() + " did not end in order");
    }
    for (LogReader.EndHealth health : log.health()) {
      boolean well = health.status().equals("UP") || health.status().equals("WARN");
      if (!well || health.held() != 0 || health.waiting() != 0) {
        troubles.add(log.process() + ": health at its end was " + health);
      }
    }
  }

  /** In calm every name and every process gets something. */
  private static List<String> idleInCalm(
      List<Call> calls, List<Workers.Life> lives, Moments moments) {
    Set<String> names = new HashSet<>();
    Set<String> processes = new HashSet<>();
    for (Call call : calls) {
      if (call.isGranted() && call.granted > moments.calm) {
        names.add(call.testedLock.name());
        processes.add(call.process);
      }
    }
    List<String> idle = new ArrayList<>();
    for (TestedLock testedLock : TestedLock.ALL) {
      if (!names.contains(testedLock.name())) {
        String line = moments.lines.getOrDefault(testedLock.name(), "nobody");
        idle.add("nobody was granted " + testedLock.name() + "; in line: " + line);
      }
    }
    for (Workers.Life life : lives) {
      if (!life.killed && !processes.contains(life.log.process())) {
        idle.add(life.log.process() + " was granted nothing");
      }
    }
    return idle;
  }

  private static void addSome(List<String> findings, String what, List<String> some) {
    addSome(findings, what, some.size(), some);
  }

  private static void addSome(List<String> findings, String what, long count, List<String> some) {
    if (count == 0) {
      return;
    }
    findings.add(count + " " + what);
    some.stream().limit(Report.QUOTED).forEach(one -> findings.add("  " + one));
  }
}
