package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.table.layout.LeaseEnd;
import io.holdfast.jdbc.table.layout.Micros;
import io.holdfast.jdbc.table.layout.ResourceRow;
import io.holdfast.jdbc.table.layout.ShapeCode;
import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.OwnerText;
import java.time.Duration;
import java.util.Optional;

/** Applies verbs to a resource without an order, where the row itself is the lock. */
final class UnorderedRules {

  /** How long a waiter is remembered; it asks again four times meanwhile. */
  static final long REMEMBERED_MICROS = 2_000_000;

  private static final long LEAST_RETRY_MICROS = 1000;

  private final Refusals refusals;

  UnorderedRules(Refusals refusals) {
    this.refusals = refusals;
  }

  Standing attempt(ResourceRow row, Ticket ticket) throws Refused {
    String id = ticket.id().encoded();
    requireShape(row, ticket);
    if (row.isMarked()) {
      stopWaiting(row, id);
      return new Standing.Done(Micros.time(row.expires - row.now));
    }
    if (row.isHeldBy(ticket.id().kept().encoded())) {
      // A late attempt: the mutex stays taken without its client.
      throw refusals.left(ticket);
    }
    if (row.ticket != null && !row.isHeldBy(id)) {
      return behind(row, ticket, id);
    }
    if (row.isHeldBy(id)) {
      if (row.revoked != null) {
        throw refusals.revoked(ticket, row.revoked);
      }
      keep(row, ticket);
    } else {
      letIn(row, ticket, id);
    }
    return new Standing.Granted(row.token(), validFor(row), row.isWanted());
  }

  /** Between two holders, the waiters determine the shape of the resource. */
  private void requireShape(ResourceRow row, Ticket ticket) throws Refused {
    String as = row.isMarked() ? ShapeCode.ONCE : row.kind;
    if (row.isInUse() && !as.equals(ShapeCode.of(ticket.shape()))) {
      throw refusals.shape(ticket, row.shape());
    }
  }

  private static void letIn(ResourceRow row, Ticket ticket, String id) {
    stopWaiting(row, id);
    row.mint(ticket.generation());
    row.kind = ShapeCode.of(ticket.shape());
    row.capacity = 1;
    row.ticket = id;
    row.joined = row.now;
    row.owner = OwnerText.write(ticket.owner());
    row.revoked = null;
    row.lease = 0;
    row.expires = 0;
    keep(row, ticket);
  }

  private static void keep(ResourceRow row, Ticket ticket) {
    LeaseEnd term =
        new LeaseEnd(row.lease, row.expires).renewed(row.now, Micros.of(ticket.lease()));
    row.lease = term.lease();
    row.expires = term.end();
    row.changed = true;
  }

  private static Duration validFor(ResourceRow row) {
    return Micros.time(row.expires - row.now);
  }

  private static Standing behind(ResourceRow row, Ticket ticket, String id) {
    if (ticket.waits()) {
      remember(row, ticket, id);
    } else {
      stopWaiting(row, id);
    }
    Duration left = Micros.time(Math.max(LEAST_RETRY_MICROS, row.expires - row.now));
    return new Standing.Waiting(
        0, left, Optional.of(new Standing.Holder(OwnerText.read(row.owner), row.token(), left)));
  }

  /** Written only when half of the time is over, because waiters ask often. */
  private static void remember(ResourceRow row, Ticket ticket, String id) {
    long keep = Math.min(REMEMBERED_MICROS, Micros.of(ticket.lease()));
    boolean others = row.isWanted() && !row.wantedBy.equals(id);
    String by = others ? ResourceRow.SEVERAL : id;
    if (!by.equals(row.wantedBy) || row.wantedUntil - row.now < keep / 2) {
      row.wantedBy = by;
      row.wantedUntil = Math.max(row.wantedUntil, row.now + keep);
      row.changed = true;
    }
  }

  private static void stopWaiting(ResourceRow row, String id) {
    if (row.wantedBy.equals(id)) {
      row.forgetWaiting();
    }
  }

  Renewal renew(ResourceRow row, Ticket ticket) {
    if (!row.isHeldBy(ticket.id().encoded())) {
      return FifoRules.gone(row, ticket);
    }
    if (row.revoked != null) {
      return new Renewal.Gone(Renewal.Cause.REVOKED, row.revoked);
    }
    keep(row, ticket);
    return new Renewal.Renewed(validFor(row), row.isWanted());
  }

  Left leave(ResourceRow row, Ticket ticket) {
    String id = ticket.id().encoded();
    if (row.isHeldBy(id)) {
      row.passOn();
      return Left.HOLDING;
    }
    boolean waited = row.isWanted() && row.wantedBy.equals(id);
    if (waited || row.wantedBy.equals(ResourceRow.SEVERAL)) {
      // Tickets that still wait will be noted again.
      row.forgetWaiting();
    }
    return waited ? Left.WAITING : Left.NOTHING;
  }

  boolean settle(ResourceRow row, Ticket ticket, Duration keep) {
    String id = ticket.id().encoded();
    if (row.isMarked() && id.equals(row.ticket)) {
      return true;
    }
    String kept = ticket.id().kept().encoded();
    if (!row.isHeldBy(id)) {
      return row.isHeldBy(kept);
    }
    boolean stays = !keep.isNegative() && !keep.isZero();
    if (stays && ticket.shape().kind() == Shape.Kind.MUTEX) {
      row.ticket = kept;
      row.lease = Micros.of(keep);
      row.expires = row.now + row.lease;
      row.revoked = null;
      row.changed = true;
      return true;
    }
    row.passOn();
    if (stays) {
      row.ticket = id;
      row.kind = ShapeCode.DONE;
      row.expires = row.now + Micros.of(keep);
    }
    return true;
  }
}
