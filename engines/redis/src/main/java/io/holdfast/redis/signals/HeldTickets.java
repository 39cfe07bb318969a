package io.holdfast.redis.signals;

import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The tickets that hold something, and where changes of their records are reported. Thread-safe.
 */
public final class HeldTickets {

  private static final int SMALL = 1_024;

  /** A ticket that holds something. */
  static final class HeldTicket {
    final Ticket ticket;

    /** By {@code nanoTime}: when it was granted. */
    final long since;

    /** By {@code nanoTime}: when its lease ends, unless it is renewed. */
    volatile long until;

    /** Whether it no longer holds anything. */
    volatile boolean over;

    /** Whether its record is watched, or was. */
    volatile boolean watched;

    /** The number of the last check of its record; used by the checking thread alone. */
    long lastCheck;

    HeldTicket(Ticket ticket, long since, long until) {
      this.ticket = ticket;
      this.since = since;
      this.until = until;
    }
  }

  /** Is notified when tickets begin and cease to hold; must be quick. */
  interface Watcher {

    default void begins(HeldTicket held) {}

    default void ends(HeldTicket held) {}
  }

  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<Ticket.Id, HeldTicket> tickets = new ConcurrentHashMap<>();
  private final AtomicInteger sweepAt = new AtomicInteger(SMALL);
  private volatile Watcher watcher = new Watcher() {};
  private volatile HoldSignal signal = resource -> {};

  /** Creates an empty table. */
  public HeldTickets(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Sets who watches the records of tickets that begin to hold from now on. */
  public void watchBy(RecordWatches watches) {
    watchBy((Watcher) watches);
  }

  void watchBy(Watcher by) {
    watcher = by;
  }

  /** Sets where changed records are reported. */
  public void reportTo(HoldSignal where) {
    signal = where;
  }

  /** Adds a ticket that was granted or renewed. */
  public void add(Ticket ticket) {
    long now = nanoTime.getAsLong();
    long until = now + ticket.lease().toNanos();
    HeldTicket known = tickets.get(ticket.id());
    if (known != null) {
      known.until = until;
      return;
    }
    HeldTicket added = new HeldTicket(ticket, now, until);
    tickets.put(ticket.id(), added);
    watcher.begins(added);
    if (tickets.size() > sweepAt.get()) {
      sweep();
    }
  }

  /** Removes a ticket that has left or that the store no longer has. */
  public void remove(Ticket ticket) {
    HeldTicket held = tickets.remove(ticket.id());
    if (held != null) {
      watcher.ends(held);
    }
  }

  /** Removes tickets whose lease has ended, often enough that they are at most half of all. */
  private void sweep() {
    long now = nanoTime.getAsLong();
    for (HeldTicket held : tickets.values()) {
      if (now - held.until > 0 && tickets.remove(held.ticket.id(), held)) {
        watcher.ends(held);
      }
    }
    sweepAt.set(Math.max(SMALL, 2 * tickets.size()));
  }

  /** Reports that the records of a resource have changed, or may have. */
  public void changed(Resource resource) {
    signal.changed(resource);
  }

  /**
   * Reports that the records of every held resource may have changed. The runtime checks very many
   * of them some at a time.
   */
  public void allChanged() {
    Set<Resource> resources = new HashSet<>();
    tickets.values().forEach(held -> resources.add(held.ticket.resource()));
    resources.forEach(signal::changed);
  }
}
