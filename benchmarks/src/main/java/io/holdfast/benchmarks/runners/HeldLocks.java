package io.holdfast.benchmarks.runners;

import io.holdfast.cli.bench.Contender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Many locks held at once, acquired and released by a few threads. */
final class HeldLocks implements AutoCloseable {

  private static final Duration TAKEN = Duration.ofMinutes(2);

  private final List<Thread> takers = new ArrayList<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final CountDownLatch taken;
  private final CountDownLatch letGo = new CountDownLatch(1);
  private final AtomicLong stillHeld = new AtomicLong();

  private HeldLocks(Contender.Session session, String prefix, int count, int threads) {
    taken = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      int first = i;
      Thread thread =
          new Thread(() -> keep(session, prefix, first, count, threads), "bench-taker-" + i);
      thread.setDaemon(true);
      takers.add(thread);
    }
  }

  /** Takes {@code <prefix>/0} and so on; returns when all are held, or some could not be. */
  static HeldLocks take(Contender.Session session, String prefix, int count, int threads)
      throws InterruptedException {
    HeldLocks holding = new HeldLocks(session, prefix, count, threads);
    holding.takers.forEach(Thread::start);
    if (!holding.taken.await(TAKEN.toMillis(), TimeUnit.MILLISECONDS)) {
      holding.takers.forEach(Thread::interrupt);
      holding.faults.add("not all locks were taken within " + TAKEN.toSeconds() + " s");
    }
    return holding;
  }

  private void keep(Contender.Session session, String prefix, int first, int count, int step) {
    List<Contender.Caller> held = new ArrayList<>();
    try {
      try {
        for (int i = first; i < count; i += step) {
          Contender.Caller caller = session.caller();
          caller.acquire(prefix + "/" + i);
          held.add(caller);
        }
      } finally {
        taken.countDown();
      }
      letGo.await();
      stillHeld.addAndGet(held.stream().filter(Contender.Caller::isHeld).count());
    } catch (Exception e) {
      faults.add("a lock could not be held: " + e);
    } finally {
      held.forEach(this::release);
    }
  }

  private void release(Contender.Caller caller) {
    try {
      caller.release();
    } catch (Exception e) {
      faults.add("a held lock could not be released: " + e);
    }
  }

  /** Gives everything back; returns when that is done. */
  @Override
  public void close() throws InterruptedException {
    letGo.countDown();
    for (Thread taker : takers) {
      taker.join(TAKEN.toMillis());
    }
  }

  /** How many were still held just before they were given back; after {@link #close}. */
  long stillHeld() {
    return stillHeld.get();
  }

  /** What went wrong, for people. */
  List<String> faults() {
    return List.copyOf(faults);
  }
}
