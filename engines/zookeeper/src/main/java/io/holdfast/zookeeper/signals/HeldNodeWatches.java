package io.holdfast.zookeeper.signals;

import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Resource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Watches the nodes of held tickets and reports changes to the runtime. Safe for several threads.
 *
 * <p>A ticket that is held only for a moment costs nothing: its watch is set after {@link
 * #AGE_NANOS}. If the node is gone by then, that is reported like a deletion that a watch saw.
 *
 * <p>ZooKeeper's client sets the watches of a session again when it reconnects, and reports what
 * changed meanwhile. It does not do so for a watch that was being set when the connection was lost:
 * that one is set again here.
 */
public final class HeldNodeWatches {

  /** How long a ticket is held before its node is watched. */
  public static final long AGE_NANOS = 100_000_000;

  /** How many watches are set in one round: 10,000 new holds are watched within two seconds. */
  private static final int MAX_PER_ROUND = 500;

  /** A ticket whose node is to be watched. */
  public interface HeldTicket {

    /** Returns the resource that changes are reported for. */
    Resource resource();

    /** Returns the watch on its node. */
    OwnNodeWatch ownNode();

    /** Returns whether the ticket is still known under this state. */
    boolean isCurrent();

    /** Returns whether the ticket is granted; otherwise it waits. */
    boolean isGranted();

    /** Returns whether this client removes the node itself. */
    boolean isLeaving();

    /** Makes the next verb look at the store. */
    void suspect();

    /** Asks a waiter to try again. */
    void wake();
  }

  /** A ticket and the time of its grant. */
  private record NewHold(HeldTicket ticket, long since) {}

  private final LongSupplier nanoTime;
  private final Queue<NewHold> newHolds = new ConcurrentLinkedQueue<>();

  /** Held tickets whose watch could not be set. */
  private final Queue<HeldTicket> notArmed = new ConcurrentLinkedQueue<>();

  private volatile HoldSignal signal = resource -> {};
  private volatile Runnable onAdded = () -> {};

  public HeldNodeWatches(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Sets where changes are reported. */
  public void reportTo(HoldSignal other) {
    signal = other;
  }

  /** Sets what is called when there is a node to watch, so that {@link #arm} is called soon. */
  public void onAdded(Runnable action) {
    onAdded = action;
  }

  /** Adds a ticket that was just granted. */
  public void add(HeldTicket ticket) {
    newHolds.add(new NewHold(ticket, nanoTime.getAsLong()));
    onAdded.run();
  }

  /** The watch of a ticket could not be set. */
  public void notArmed(HeldTicket ticket) {
    if (ticket.isGranted() && ticket.isCurrent()) {
      notArmed.add(ticket);
    }
  }

  /** A connection is up: the next {@link #arm} sets the watches that could not be set. */
  public void connected() {
    long since = nanoTime.getAsLong() - AGE_NANOS;
    for (HeldTicket next = notArmed.poll(); next != null; next = notArmed.poll()) {
      newHolds.add(new NewHold(next, since));
    }
  }

  /** Returns whether tickets are to be watched. */
  public boolean hasNewHolds() {
    return !newHolds.isEmpty();
  }

  /** Watches the tickets that have been held for long enough. Does not block. */
  public void arm() {
    long now = nanoTime.getAsLong();
    int armed = 0;
    for (NewHold next = newHolds.peek();
        next != null && armed < MAX_PER_ROUND;
        next = newHolds.peek()) {
      if (now - next.since < AGE_NANOS && next.ticket.isCurrent()) {
        return;
      }
      newHolds.poll();
      if (next.ticket.isCurrent()) {
        armed++;
        if (next.ticket.ownNode().isGone()) {
          // Reported before, but perhaps before the runtime knew of the hold.
          nodeChanged(next.ticket);
        } else {
          next.ticket.ownNode().arm();
        }
      }
    }
  }

  /** The node of a ticket was deleted or written to, so its next renewal looks at the store. */
  public void nodeChanged(HeldTicket ticket) {
    if (ticket.isLeaving()) {
      return;
    }
    ticket.suspect();
    if (ticket.isGranted()) {
      signal.changed(ticket.resource());
    } else if (ticket.ownNode().isGone()) {
      ticket.wake();
    }
  }
}
