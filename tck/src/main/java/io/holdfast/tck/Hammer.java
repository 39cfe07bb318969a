package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.HoldfastException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Many threads that want the same, and a counter that only the lock protects. */
final class Hammer {

  /** Tests that keep all processors busy do not run at the same time. */
  static final String BUSY = "io.holdfast.tck.busy";

  /** Long enough for every thread to get its turns. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  /** Tests like this one wait for each other, so that a build pays for every second of it. */
  private static final long MOST_NANOS =
      System.getProperty("long") == null ? 1_000_000_000L : 3_000_000_000L;

  private final Stage stage;
  private final int rounds;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger troubles = new AtomicInteger();
  private final List<Running<Integer>> running = new ArrayList<>();
  private final long end = System.nanoTime() + MOST_NANOS;

  /** Guarded by nothing but the lock under test. */
  private int counter;

  private long lastToken;

  /** A hammer whose threads lock so often each, or for some time if the store is slow. */
  Hammer(Stage stage, int rounds) {
    this.stage = stage;
    this.rounds = rounds;
  }

  void add(String name, int threads, DistributedLock lock) {
    for (int i = 0; i < threads; i++) {
      running.add(stage.run(name + "-" + i, () -> turns(lock)));
    }
  }

  private int turns(DistributedLock lock) throws InterruptedException {
    int done = 0;
    // On a busy machine a thread may begin when the time is over: each has a turn at least.
    while (done == 0 || (done < rounds && end - System.nanoTime() > 0)) {
      try (Hold hold = lock.acquire(PATIENCE)) {
        turn(hold);
        done++;
      } catch (HoldfastException e) {
        // Under faults an acquire may end in doubt; that is no reason to be in twice.
        troubles.incrementAndGet();
      }
    }
    return done;
  }

  private void turn(Hold hold) {
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

  /** Waits for all and checks that no increment got lost. */
  void check(String what) throws Exception {
    int grants = 0;
    for (Running<Integer> each : running) {
      grants += each.result(Duration.ofMinutes(10));
    }
    assertThat(grants).as("grants").isGreaterThanOrEqualTo(running.size());
    assertThat(counter).as("increments that were not lost").isEqualTo(grants);
    Figures.print(
        what
            + ": "
            + grants
            + " grants, "
            + troubles
            + " acquires or releases in trouble, no overlap, tokens rising");
  }
}
