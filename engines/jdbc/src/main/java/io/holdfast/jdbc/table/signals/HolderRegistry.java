package io.holdfast.jdbc.table.signals;

import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * This client's tickets that hold or may hold something, and the reports about their rows.
 * Thread-safe.
 */
final class HolderRegistry {

  /*
   * Why no report is lost between a grant and the moment when the runtime knows of the hold: a
   * ticket is here before its attempt is sent, with the number of reports up to then. If another
   * report came meanwhile, the runtime may have ignored it, so it is repeated once the grant was
   * delivered.
   */

  private static final int SMALL = 1_024;

  /**
   * A ticket that holds or may hold something.
   *
   * @param until when the store drops the ticket, unless it is renewed
   * @param reports the number of reports before its attempt was sent
   */
  private record Held(Resource resource, long until, long reports) {

    Held atLeastUntil(long other) {
      return other - until > 0 ? new Held(resource, other, reports) : this;
    }
  }

  private final LongSupplier nanoTime;
  private final HoldSignal signal;
  private final ConcurrentHashMap<Ticket.Id, Held> tickets = new ConcurrentHashMap<>();
  private final AtomicInteger sweepAt = new AtomicInteger(SMALL);
  private final AtomicLong reports = new AtomicLong();

  HolderRegistry(LongSupplier nanoTime, HoldSignal signal) {
    this.nanoTime = nanoTime;
    this.signal = signal;
  }

  /** The verb is about to be sent. */
  void beforeSend(Verb verb) {
    if (verb instanceof Verb.Attempt) {
      Ticket ticket = verb.ticket();
      long until = until(ticket);
      tickets.merge(
          ticket.id(),
          new Held(ticket.resource(), until, reports.get()),
          (known, fresh) -> known.atLeastUntil(until));
      if (tickets.size() > sweepAt.get()) {
        sweep();
      }
    }
  }

  /** The verb was completed with its result. */
  void afterComplete(VerbResult answer) {
    Ticket ticket = answer.verb().ticket();
    if (answer.verb() instanceof Verb.Resize) {
      return;
    }
    if (answer.what() instanceof Standing.Granted || answer.what() instanceof Renewal.Renewed) {
      Held held =
          tickets.computeIfPresent(ticket.id(), (id, known) -> known.atLeastUntil(until(ticket)));
      if (answer.isGranted() && held != null && held.reports != reports.get()) {
        signal.changed(held.resource);
      }
    } else if (!(answer.what() instanceof EngineException failure)
        || failure instanceof EngineException.Refused) {
      // It waits, has left or is gone. Without a reply it may still hold something.
      tickets.remove(ticket.id());
    }
  }

  private long until(Ticket ticket) {
    return nanoTime.getAsLong() + ticket.lease().toNanos();
  }

  /**
   * Removes tickets whose lease ended unnoticed; often enough that they are at most half of all.
   */
  private void sweep() {
    long now = nanoTime.getAsLong();
    tickets.values().removeIf(held -> now - held.until > 0);
    sweepAt.set(Math.max(SMALL, 2 * tickets.size()));
  }

  /** Another client has changed the rows of a resource. */
  void changed(Resource resource) {
    reports.incrementAndGet();
    signal.changed(resource);
  }

  /** Other clients may have changed any row: reports everything that is held. */
  void allChanged() {
    reports.incrementAndGet();
    Set<Resource> resources = new HashSet<>();
    tickets.values().forEach(held -> resources.add(held.resource));
    resources.forEach(signal::changed);
  }
}
