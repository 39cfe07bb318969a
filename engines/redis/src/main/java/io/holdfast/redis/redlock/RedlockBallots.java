package io.holdfast.redis.redlock;

import io.holdfast.redis.layout.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Chooses which ballots to propose. Thread-safe.
 *
 * <p>A ballot is the counter of a token, in ticks of 64 us. The choice decides only how many rounds
 * an attempt needs, never which ticket is granted.
 */
public final class RedlockBallots {

  /** How far beyond its own clock a master accepts ballots: a minute. */
  static final long SLACK = ticks(TimeUnit.SECONDS.toMicros(60));

  /** How long it is worth waiting so that more masters than a majority can accept. */
  private static final long WORTH_WAITING = ticks(TimeUnit.MILLISECONDS.toMicros(5));

  private static final long MICROS_A_TICK = 64;

  private final AtomicLongArray seen = new AtomicLongArray(Keys.BUCKETS);
  private final LongSupplier epochMicros;

  /** By how much the masters' clocks are ahead of ours, as far as they have replied. */
  private volatile long offset;

  public RedlockBallots(LongSupplier epochMicros) {
    this.epochMicros = epochMicros;
  }

  /**
   * The ballots that a master accepts: above the floor, up to the limit, which moves with its
   * clock.
   *
   * @param floor the highest ballot that it has accepted in this bucket
   */
  record Window(long floor, long limit) {}

  /**
   * A ballot for the next round.
   *
   * @param nanos how long to wait until enough masters can accept it
   */
  record Proposal(long ballot, long nanos) {}

  /** Returns the first ballot for a bucket: above all known ones, and not below the clock. */
  long first(int bucket) {
    return Math.max(seen.get(bucket) + 1, ticks(epochMicros.getAsLong()) + offset);
  }

  /**
   * A majority has accepted this ballot. The next one will also suit masters for which this one was
   * too low, as after a restart, unless their clocks are beyond reason.
   */
  void accepted(int bucket, long ballot, List<Window> windows) {
    long usual = middle(windows.stream().mapToLong(Window::limit).toArray());
    long highest = ballot;
    for (Window window : windows) {
      highest = window.floor() < usual ? Math.max(highest, window.floor()) : highest;
    }
    seen.accumulateAndGet(bucket, highest, Math::max);
  }

  /**
   * Returns the ballot that as many masters as possible accept soon, after some did not.
   *
   * @return empty if too few of them ever will
   */
  Optional<Proposal> next(int bucket, List<Window> windows, int enough) {
    Optional<Proposal> best = Optional.empty();
    for (int count = windows.size(); count >= enough && best.isEmpty(); count--) {
      Proposal cheapest = cheapest(windows, count);
      if (count == enough || cheapest.nanos() <= nanos(WORTH_WAITING)) {
        best = Optional.of(cheapest);
      }
    }
    if (best.isPresent()) {
      follow(windows);
      seen.accumulateAndGet(bucket, best.get().ballot() - 1, Math::max);
    }
    return best;
  }

  /** Returns the ballot that needs the shortest wait until so many accept it. */
  private static Proposal cheapest(List<Window> windows, int count) {
    Proposal cheapest = new Proposal(0, Long.MAX_VALUE);
    for (Window window : windows) {
      long ballot = window.floor() + 1;
      List<Long> waits = new ArrayList<>();
      for (Window each : windows) {
        if (each.floor() < ballot) {
          waits.add(Math.max(0, ballot - each.limit()));
        }
      }
      if (waits.size() >= count) {
        waits.sort(null);
        long nanos = nanos(waits.get(count - 1));
        boolean sooner = nanos < cheapest.nanos();
        cheapest = sooner ? new Proposal(ballot, nanos) : cheapest;
      }
    }
    return cheapest;
  }

  /** Adopts the median of the masters' clocks: our own may be wrong by a day. */
  private void follow(List<Window> windows) {
    long clock = middle(windows.stream().mapToLong(Window::limit).toArray()) - SLACK;
    offset = clock - ticks(epochMicros.getAsLong());
  }

  private static long middle(long[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static long ticks(long micros) {
    return micros / MICROS_A_TICK;
  }

  private static long nanos(long ticks) {
    return TimeUnit.MICROSECONDS.toNanos(ticks * MICROS_A_TICK);
  }
}
