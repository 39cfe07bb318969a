package io.holdfast.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The threads of one round in this process: starts them together and always ends them. */
public final class LoadThreads {

  /** Longer than a contender's longest wait, so that a stuck lock shows as the lock's own error. */
  private static final long OVERTIME = TimeUnit.SECONDS.toNanos(30);

  private static final long LAST_GRACE = TimeUnit.SECONDS.toMillis(5);

  private final List<LoadThread> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch ready;
  private final CountDownLatch gate = new CountDownLatch(1);

  private LoadThreads(Contender.Session session, ProtectedCounters ledger, Workload workload) {
    ready = new CountDownLatch(workload.threads());
    for (int i = 0; i < workload.threads(); i++) {
      LoadThread worker = new LoadThread(session.caller(), ledger, workload, i, ready, gate);
      workers.add(worker);
      Thread thread = new Thread(worker, LoadThread.NAME_PREFIX + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  /**
   * Runs one round.
   *
   * @param start the {@code nanoTime} at which to begin; at once if that is over
   * @return the sample, with all faults but lost updates, which are not for one process to see
   */
  public static Sample run(
      Contender.Session session,
      ProtectedCounters ledger,
      Workload workload,
      Duration time,
      long start)
      throws InterruptedException {
    LoadThreads group = new LoadThreads(session, ledger, workload);
    group.threads.forEach(Thread::start);
    try {
      group.ready.await();
      TimeUnit.NANOSECONDS.sleep(start - System.nanoTime());
      long began = System.nanoTime();
      group.workers.forEach(worker -> worker.until(began + time.toNanos()));
      group.gate.countDown();
      List<String> faults = group.await(began + time.toNanos() + OVERTIME);
      return group.sample(began, faults);
    } finally {
      group.dismiss();
    }
  }

  /** Ends the threads that still run, before their session is closed. */
  private void dismiss() throws InterruptedException {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join(LAST_GRACE);
    }
  }

  private List<String> await(long bound) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(bound - System.nanoTime())));
    }
    List<Thread> stuck = threads.stream().filter(Thread::isAlive).toList();
    stuck.forEach(Thread::interrupt);
    for (Thread thread : stuck) {
      thread.join(LAST_GRACE);
    }
    if (threads.stream().anyMatch(Thread::isAlive)) {
      // What they wrote cannot be read while they run.
      throw new IllegalStateException("threads did not end, not even when interrupted: " + stuck);
    }
    return stuck.isEmpty() ? List.of() : List.of("threads had to be interrupted: " + stuck);
  }

  private Sample sample(long began, List<String> stuck) {
    WaitTimes waits = WaitTimes.none();
    List<Long> shares = new ArrayList<>();
    List<String> faults = new ArrayList<>(stuck);
    long bytes = 0;
    long cpu = 0;
    long end = began + 1;
    for (LoadThread worker : workers) {
      waits.addAll(worker.waits());
      shares.add(worker.waits().count());
      bytes += worker.bytes();
      cpu += worker.cpu();
      end = Math.max(end, worker.finished());
      if (worker.failure() != null) {
        faults.add("a caller failed: " + worker.failure());
      }
      if (worker.sunkTokens() > 0) {
        faults.add("tokens that did not rise: " + worker.sunkTokens());
      }
    }
    return new Sample(end - began, waits, shares, bytes, cpu, faults, Map.of());
  }
}
