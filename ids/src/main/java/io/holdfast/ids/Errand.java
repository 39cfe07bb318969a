package io.holdfast.ids;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is done once for all who wait for it, on a thread where it may block. Whoever has waited
 * long enough goes, and it is done all the same. Any thread.
 */
final class Errand {

  /** One that is under way. */
  private static final class Trip {
    final CountDownLatch done = new CountDownLatch(1);
    volatile @Nullable RuntimeException failure;
  }

  private final Executor threads;
  private final AtomicReference<@Nullable Trip> underWay = new AtomicReference<>();

  /**
   * An errand that nobody is on.
   *
   * @param threads where it may block
   */
  Errand(Executor threads) {
    this.threads = threads;
  }

  /**
   * Waits for the one that is under way; if there is none, begins with this one.
   *
   * @return whether it was done in time
   * @throws RuntimeException what it threw
   */
  boolean await(Runnable body, long nanos) throws InterruptedException {
    Trip mine = new Trip();
    Trip other = underWay.compareAndExchange(null, mine);
    if (other == null) {
      begin(body, mine);
    }
    Trip trip = other == null ? mine : other;
    if (!trip.done.await(nanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    RuntimeException failure = trip.failure;
    if (failure instanceof IdsUnavailableException) {
      // One for each who waited, that says where.
      throw new IdsUnavailableException(String.valueOf(failure.getMessage()), failure);
    }
    if (failure != null) {
      throw failure;
    }
    return true;
  }

  private void begin(Runnable body, Trip trip) {
    boolean begun = false;
    try {
      threads.execute(() -> run(body, trip));
      begun = true;
    } finally {
      if (!begun) {
        end(trip);
      }
    }
  }

  private void run(Runnable body, Trip trip) {
    try {
      body.run();
    } catch (RuntimeException e) {
      trip.failure = e;
    } finally {
      end(trip);
    }
  }

  /** First nobody is on it: whoever is woken may begin the next one. */
  private void end(Trip trip) {
    underWay.set(null);
    trip.done.countDown();
  }
}
