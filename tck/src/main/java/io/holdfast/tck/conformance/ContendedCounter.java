package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.HoldfastException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that contend for a lock, and a counter that only the lock protects. */
final class ContendedCounter {

  /** Tests that keep all processors busy do not run at the same time. */
  static final String BUSY = "io.holdfast.tck.busy";

  /** Long enough for every thread to finish. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  /** Kept short: these tests run one after the other. */
  private static final long MOST_NANOS =
      System.getProperty("long") == null ? 1_000_000_000L : 3_000_000_000L;

  private final KitFixture fixture;
  private final int rounds;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private final List<BackgroundTask<Integer>> running = new ArrayList<>();
  private final long end = System.nanoTime() + MOST_NANOS;

  /** Guarded by nothing but the lock under test. */
  private int counter;

  private long lastToken;

  /** Creates a counter whose threads lock this many times each, or for 1 s if the store is slow. */
  ContendedCounter(KitFixture fixture, int rounds) {
    this.fixture = fixture;
    this.rounds = rounds;
  }

  void add(String name, int threads, DistributedLock lock) {
    for (int i = 0; i < threads; i++) {
      running.add(fixture.run(name + "-" + i, () -> acquireRepeatedly(lock)));
    }
  }

  private int acquireRepeatedly(DistributedLock lock) throws InterruptedException {
    int done = 0;
    // On a busy machine a thread may start when the time is over: each acquires at least once.
    while (done == 0 || (done < rounds && end - System.nanoTime() > 0)) {
      try (Hold hold = lock.acquire(PATIENCE)) {
        increment(hold);
        done++;
      } catch (HoldfastException e) {
        // With faults, an acquire may end in doubt. Exclusion must hold all the same.
        failures.incrementAndGet();
      }
    }
    return done;
  }

  private void increment(Hold hold) {
    assertThat(inside.incrementAndGet()).as("holders at once").isEqualTo(1);
    try {
      hold.ensureHeld();
      assertThat(hold.token()).as("token of a later grant").isGreaterThan(lastToken);
      lastToken = hold.token();
      int before = counter;
      Thread.onSpinWait();
      counter = before + 1;
    } finally {
      inside.decrementAndGet();
    }
  }

  /** Waits for all threads and checks that no increment was lost. */
  void check(String what) throws Exception {
    int grants = 0;
    for (BackgroundTask<Integer> each : running) {
      grants += each.result(Duration.ofMinutes(10));
    }
    assertThat(grants).as("grants").isGreaterThanOrEqualTo(running.size());
    assertThat(counter).as("increments").isEqualTo(grants);
    KitOutput.print(
        what
            + ": "
            + grants
            + " grants, "
            + failures
            + " failed acquires or releases, no overlap, tokens rising");
  }
}
