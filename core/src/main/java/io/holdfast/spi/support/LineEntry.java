package io.holdfast.spi.support;

import io.holdfast.spi.Owner;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import org.jspecify.annotations.Nullable;

/**
 * A ticket in a {@link LineState}: a holder or a waiter.
 *
 * <p>Belongs to its line and is read only while the caller has that line to itself. Only {@link
 * LineRules} changes it.
 */
public final class LineEntry {

  private static final Wake NOBODY = () -> {};

  final Ticket.Id id;
  final long place;
  final long joined;

  /** As the latest attempt stated it. */
  Owner owner;

  /** Changed through {@link LineEntries#shrink} alone. */
  int weight;

  /** The lease that the expiry was counted with. */
  long lease;

  /** Changed through {@link LineEntries#keep} alone. */
  long expiry;

  /** The token of its grant, 0 while it waits. */
  long token;

  /** An operator's reason, once the ticket was revoked. */
  @Nullable String revoked;

  /** The wake of the latest attempt. */
  Wake wake = NOBODY;

  /**
   * Whether the waiter was called in: there is room for it, and no later ticket gets that room.
   * Only lines that keep an order call in.
   */
  boolean called;

  LineEntry(Ticket ticket, long place, long now) {
    this.id = ticket.id();
    this.owner = ticket.owner();
    this.weight = ticket.weight();
    this.lease = Nanos.of(ticket.lease());
    this.expiry = now + lease;
    this.place = place;
    this.joined = now;
  }

  LineEntry(StoredLine.StoredTicket stored) {
    this.id = stored.id();
    this.owner = stored.owner();
    this.weight = stored.weight();
    this.lease = stored.lease();
    this.expiry = stored.expiry();
    this.token = stored.token();
    this.revoked = stored.revoked();
    this.place = stored.place();
    this.joined = stored.joined();
  }

  /** Returns this holder under another id and with another end; not revoked. */
  LineEntry kept(Ticket.Id as, long newLease, long end) {
    return new LineEntry(
        new StoredLine.StoredTicket(
            as, owner, place, joined, weight, newLease, end, token, /* revoked= */ null));
  }

  /** Makes the waiter a holder. */
  void grant(long minted) {
    token = minted;
    // The wake may keep the whole acquire of a caller reachable that has long gone on.
    wake = NOBODY;
  }

  /** Returns the id of the ticket: a secret. */
  public Ticket.Id id() {
    return id;
  }

  /** Returns the label to show, as the latest attempt stated it. */
  public Owner owner() {
    return owner;
  }

  /** Returns the place in the line: smaller for tickets that joined earlier. */
  public long place() {
    return place;
  }

  /** Returns the time of its first attempt. */
  public long joined() {
    return joined;
  }

  /** Returns how much of the capacity it takes. */
  public int weight() {
    return weight;
  }

  /** Returns the lease that the expiry was counted with, in nanoseconds. */
  public long lease() {
    return lease;
  }

  /** Returns the time at which the line forgets it. */
  public long expiry() {
    return expiry;
  }

  /** Returns the token of its grant, or 0 while it waits. */
  public long token() {
    return token;
  }

  /** Returns whether the ticket is granted. */
  public boolean isHolder() {
    return token != 0;
  }

  /** Returns the operator's reason if the ticket was revoked, else null. */
  public @Nullable String revoked() {
    return revoked;
  }

  /** Returns the wake of the latest attempt; one without effect for a restored ticket. */
  public Wake wake() {
    return wake;
  }
}
