package io.holdfast.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Makes faults in four streams: two for workers, one for links, one for servers. Faults of one
 * stream come one after another, those of different streams at the same time.
 */
final class FaultInjector {
  /** However long a run is. */
  private static final int MOST = 20_000;

  /** A store that needs longer than this to recover is a finding. */
  private static final Duration RECOVERY = Duration.ofSeconds(150);

  /** The pause between two faults of a stream, in addition to a part of a lease. */
  private static final Duration SHORT = Duration.ofMillis(500);

  private final Workers workers;
  private final Network network;
  private final StoreUnderTest store;
  private final long seed;
  private final Duration lease;
  private final FaultTime time = new FaultTime();
  private final List<Fault> faults = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final List<Thread> streams = new ArrayList<>();

  /** One fault: put in force, waited for and taken away. Returns what it was done to. */
  @FunctionalInterface
  private interface Step {
    void run(FaultSchedule schedule);
  }

  FaultInjector(Workers workers, Network network, StoreUnderTest store, long seed, Duration lease) {
    this.workers = workers;
    this.network = network;
    this.store = store;
    this.seed = seed;
    this.lease = lease;
  }

  void start() {
    for (int i = 0; i < 2; i++) {
      int half = i;
      List<Integer> targets =
          IntStream.range(0, workers.size()).filter(worker -> worker % 2 == half).boxed().toList();
      stream("workers-" + i, SHORT, schedule -> breakWorker(schedule, targets));
    }
    if (!network.faults().isEmpty()) {
      stream("links", SHORT, this::breakLink);
    }
    if (!store.faults().isEmpty()) {
      stream("servers", SHORT.plus(store.quiet()), this::breakStore);
    }
  }

  private void stream(String name, Duration quiet, Step step) {
    FaultSchedule schedule = new FaultSchedule(seed, name, lease);
    Thread thread =
        new Thread(
            () -> {
              while (!time.isOver() && count() < MOST) {
                time.sleep(schedule.leases(0.1, 0.7).plus(quiet));
                if (!time.isOver()) {
                  attempt(name, schedule, step);
                }
              }
            },
            "faults-" + name);
    thread.setDaemon(true);
    streams.add(thread);
    thread.start();
  }

  private void attempt(String name, FaultSchedule schedule, Step step) {
    try {
      step.run(schedule);
    } catch (RuntimeException | AssertionError e) {
      synchronized (this) {
        failures.add(name + ": " + e.getMessage());
      }
    }
  }

  private void breakWorker(FaultSchedule schedule, List<Integer> targets) {
    int worker = schedule.one(targets);
    long start = System.nanoTime();
    if (schedule.chance(35)) {
      workers.kill(worker);
      record(Fault.ofWorker(FaultKind.WORKER_KILLED, worker, start, System.nanoTime()));
      workers.start(worker);
      return;
    }
    // Most stops end after the lease has.
    Duration duration =
        schedule.chance(70) ? schedule.leases(0.9, 1.8) : schedule.leases(0.05, 0.9);
    boolean suspends = schedule.chance(30) && workers.canSuspend();
    FaultKind kind = suspends ? FaultKind.WORKER_SUSPENDED : FaultKind.WORKER_STOPPED;
    workers.pause(worker);
    try {
      time.sleep(duration);
    } finally {
      if (suspends) {
        workers.resumeAsSuspended(worker);
      } else {
        workers.resume(worker);
      }
      record(Fault.ofWorker(kind, worker, start, System.nanoTime()));
    }
  }

  private void breakLink(FaultSchedule schedule) {
    boolean hides = store.ports().size() > 1 && schedule.chance(25);
    int worker = schedule.random().nextInt(workers.size());
    FaultKind kind = schedule.one(network.faults());
    Duration duration = schedule.leases(0.1, 1.5);
    long start = System.nanoTime();
    if (hides) {
      int port = schedule.one(store.ports());
      try (Network.Broken ignored = network.hide(port)) {
        time.sleep(duration);
      }
      record(new Fault(FaultKind.MEMBER_UNREACHABLE, "port " + port, -1, start, System.nanoTime()));
      return;
    }
    try (Network.Broken ignored = network.breakLink(kind, worker)) {
      time.sleep(duration);
    }
    record(Fault.ofWorker(kind, worker, start, System.nanoTime()));
  }

  private void breakStore(FaultSchedule schedule) {
    StoreFault fault = schedule.weighted(store.faults(), StoreFault::weight);
    Duration duration = schedule.leases(fault.shortest(), fault.longest());
    long start = System.nanoTime();
    long end = 0;
    String target = "a server";
    try {
      target = fault.action().run(time, duration, schedule.random());
      end = System.nanoTime();
      fault.recovery().run();
    } finally {
      long whole = System.nanoTime();
      record(new Fault(fault.kind(), target, -1, start, end == 0 ? whole : end, whole));
    }
  }

  private synchronized void record(Fault fault) {
    faults.add(fault);
  }

  /** Ends all faults; returns when everything is whole again. */
  void stop() {
    time.end();
    long end = System.nanoTime() + RECOVERY.toNanos();
    for (Thread stream : streams) {
      try {
        stream.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while faults were ended", e);
      }
      if (stream.isAlive()) {
        synchronized (this) {
          failures.add(stream.getName() + " did not end within " + RECOVERY.toSeconds() + " s");
        }
      }
    }
  }

  synchronized int count() {
    return faults.size();
  }

  /** All faults, in the order of their end. */
  synchronized List<Fault> faults() {
    return List.copyOf(faults);
  }

  /** What could not be done, or not be undone. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  synchronized Map<FaultKind, Integer> byKind() {
    Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
    faults.forEach(fault -> counts.merge(fault.kind(), 1, Integer::sum));
    return counts;
  }
}
