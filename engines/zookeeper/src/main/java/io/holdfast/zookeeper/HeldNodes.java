package io.holdfast.zookeeper;

import io.holdfast.spi.HoldSignal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Watches the nodes of held tickets and reports changes to the runtime. Safe for several threads.
 *
 * <p>A ticket that is held for a moment only costs nothing: the watch is set after {@link
 * #AGE_NANOS}. If the node is gone by then, that is reported like a deletion that the watch saw.
 */
final class HeldNodes {

  /** How long a ticket is held before its node is watched. */
  static final long AGE_NANOS = 100_000_000;

  /** How many watches are set in one round: 10,000 new holds are watched within two seconds. */
  private static final int MOST = 500;

  /** A ticket and when it got in. */
  private record Young(Spot spot, long since) {}

  private final LongSupplier nanoTime;
  private final Queue<Young> young = new ConcurrentLinkedQueue<>();
  private volatile HoldSignal signal = resource -> {};
  private volatile Runnable onAdded = () -> {};

  HeldNodes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Sets where changes are reported. */
  void reportTo(HoldSignal other) {
    signal = other;
  }

  /** Sets what to do when there is something to watch: somebody is to call {@link #arm} soon. */
  void onAdded(Runnable action) {
    onAdded = action;
  }

  /** A ticket has got in. */
  void add(Spot spot) {
    young.add(new Young(spot, nanoTime.getAsLong()));
    onAdded.run();
  }

  /** Whether tickets wait to be watched. */
  boolean hasYoung() {
    return !young.isEmpty();
  }

  /** Watches those that have been held for long enough. Does not block. */
  void arm(Books books) {
    long now = nanoTime.getAsLong();
    int armed = 0;
    for (Young next = young.peek(); next != null && armed < MOST; next = young.peek()) {
      if (now - next.since < AGE_NANOS && books.isOn(next.spot)) {
        return;
      }
      young.poll();
      if (books.isOn(next.spot)) {
        armed++;
        if (next.spot.own.isGone()) {
          // Reported before: perhaps before the runtime knew of the hold.
          changed(next.spot);
        } else {
          next.spot.own.arm();
        }
      }
    }
  }

  /** The node of a ticket was deleted or written to. Its next renewal looks. */
  void changed(Spot spot) {
    if (spot.leaving) {
      return;
    }
    spot.suspect();
    if (spot.phase == Spot.Phase.IN) {
      signal.changed(spot.resource);
    } else if (spot.own.isGone()) {
      spot.wake();
    }
  }
}
