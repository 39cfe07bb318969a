package io.holdfast.jdbc.table;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.Optional;

/** Verbs on a resource without an order: the row itself is the lock. */
final class AnyRules {

  /** How long one that waits is remembered; it asks again four times meanwhile. */
  static final long REMEMBERED_MICROS = 2_000_000;

  private static final long LEAST_RETRY_MICROS = 1000;

  private final Refusals refusals;

  AnyRules(Refusals refusals) {
    this.refusals = refusals;
  }

  Standing attempt(Head head, Ticket ticket) throws Refused {
    String id = ticket.id().encoded();
    requireShape(head, ticket);
    if (head.isMarked()) {
      stopWaiting(head, id);
      return new Standing.Done(Micros.time(head.expires - head.now));
    }
    if (head.ticket != null && !head.isHeldBy(id)) {
      return behind(head, ticket, id);
    }
    if (head.isHeldBy(id)) {
      if (head.revoked != null) {
        throw refusals.revoked(ticket, head.revoked);
      }
      keep(head, ticket);
    } else {
      letIn(head, ticket, id);
    }
    return new Standing.Granted(head.token(), validFor(head), head.isWanted());
  }

  /** Between two holders, those that wait say what the resource is. */
  private void requireShape(Head head, Ticket ticket) throws Refused {
    String as = head.isMarked() ? Letters.ONCE : head.kind;
    if (head.isInUse() && !as.equals(Letters.of(ticket.shape()))) {
      throw refusals.shape(ticket, head.shape());
    }
  }

  private static void letIn(Head head, Ticket ticket, String id) {
    stopWaiting(head, id);
    head.mint(ticket.generation());
    head.kind = Letters.of(ticket.shape());
    head.capacity = 1;
    head.ticket = id;
    head.joined = head.now;
    head.owner = OwnerText.write(ticket.owner());
    head.revoked = null;
    head.lease = 0;
    head.expires = 0;
    keep(head, ticket);
  }

  private static void keep(Head head, Ticket ticket) {
    Term term = new Term(head.lease, head.expires).renewed(head.now, Micros.of(ticket.lease()));
    head.lease = term.lease();
    head.expires = term.end();
    head.changed = true;
  }

  private static Duration validFor(Head head) {
    return Micros.time(head.expires - head.now);
  }

  private static Standing behind(Head head, Ticket ticket, String id) {
    if (ticket.waits()) {
      remember(head, ticket, id);
    } else {
      stopWaiting(head, id);
    }
    Duration left = Micros.time(Math.max(LEAST_RETRY_MICROS, head.expires - head.now));
    return new Standing.Waiting(
        0, left, Optional.of(new Standing.Holder(OwnerText.read(head.owner), head.token(), left)));
  }

  /** Written only when half of it is over: those that wait ask often. */
  private static void remember(Head head, Ticket ticket, String id) {
    long keep = Math.min(REMEMBERED_MICROS, Micros.of(ticket.lease()));
    boolean others = head.isWanted() && !head.wantedBy.equals(id);
    String by = others ? Head.SEVERAL : id;
    if (!by.equals(head.wantedBy) || head.wantedUntil - head.now < keep / 2) {
      head.wantedBy = by;
      head.wantedUntil = Math.max(head.wantedUntil, head.now + keep);
      head.changed = true;
    }
  }

  private static void stopWaiting(Head head, String id) {
    if (head.wantedBy.equals(id)) {
      head.forgetWaiting();
    }
  }

  Renewal renew(Head head, Ticket ticket) {
    if (!head.isHeldBy(ticket.id().encoded())) {
      return LineRules.gone(head, ticket);
    }
    if (head.revoked != null) {
      return new Renewal.Gone(Renewal.Cause.REVOKED, head.revoked);
    }
    keep(head, ticket);
    return new Renewal.Renewed(validFor(head), head.isWanted());
  }

  Left leave(Head head, Ticket ticket) {
    String id = ticket.id().encoded();
    if (head.isHeldBy(id)) {
      passOn(head);
      return Left.HOLDING;
    }
    boolean waited = head.isWanted() && head.wantedBy.equals(id);
    if (waited || head.wantedBy.equals(Head.SEVERAL)) {
      // Those of the several that still wait will say so again.
      head.forgetWaiting();
    }
    return waited ? Left.WAITING : Left.NOTHING;
  }

  /** Frees the row. Those that wait are told, and have to ask again to be remembered. */
  static void passOn(Head head) {
    head.calls |= head.isWanted();
    head.free();
    head.forgetWaiting();
  }

  boolean settle(Head head, Ticket ticket, Duration keep) {
    String id = ticket.id().encoded();
    if (head.isMarked() && id.equals(head.ticket)) {
      return true;
    }
    if (!head.isHeldBy(id)) {
      return false;
    }
    passOn(head);
    if (!keep.isNegative() && !keep.isZero()) {
      head.ticket = id;
      head.kind = Letters.DONE;
      head.expires = head.now + Micros.of(keep);
    }
    return true;
  }
}
