package io.holdfast.spi;

import java.time.Duration;
import java.util.HexFormat;

/**
 * One claim to part of a resource. Its id is the ownership: it allows to renew and leave.
 *
 * @param id the secret; never shown in listings, logs or guards
 * @param weight how much of the capacity it takes, 1..capacity
 * @param lease how long the store keeps the ticket, waiting or granted, without a renewal
 * @param generation the client's generation; a store that knows a higher one refuses
 * @param waits whether the ticket joins the line when it cannot be granted at once; if not, an
 *     attempt that returns {@link Standing.Waiting} has left nothing in the store
 * @param owner the label to show
 * @param fixed whether a grant is not renewed unless its user extends it: a store that keeps many
 *     tickets by one keep-alive must not keep this one by that of others
 */
public record Ticket(
    Id id,
    Resource resource,
    Shape shape,
    int weight,
    Duration lease,
    int generation,
    boolean waits,
    Owner owner,
    boolean fixed) {

  /**
   * A client's 128 random bits and a counter: as unguessable as a fresh random id for each ticket,
   * and cheaper to create.
   */
  public record Id(long high, long low, long number) {

    /**
     * Returns the id as text for a store: 32 hex digits of the client, a dash, the number in hex.
     */
    public String encoded() {
      HexFormat hex = HexFormat.of();
      return hex.toHexDigits(high) + hex.toHexDigits(low) + '-' + Long.toHexString(number);
    }

    /**
     * Returns the id under which a store keeps a mutex after {@link LockEngine#settle}. No verb of
     * the client meets it, so a late one neither renews, removes nor takes over what is kept.
     */
    public Id kept() {
      return new Id(~high, ~low, number);
    }

    /** Does not contain the secret: logs must not leak ownership. */
    @Override
    public String toString() {
      return "ticket#" + number;
    }
  }

  /** Creates a ticket that is renewed for as long as it is granted. */
  public Ticket(
      Id id,
      Resource resource,
      Shape shape,
      int weight,
      Duration lease,
      int generation,
      boolean waits,
      Owner owner) {
    this(id, resource, shape, weight, lease, generation, waits, owner, false);
  }

  public Ticket {
    int most = shape.capacity() == Shape.ADOPT ? Shape.MAX_PERMITS : shape.capacity();
    if (weight < 1 || weight > most) {
      throw new IllegalArgumentException(
          "weight must be 1.." + most + ": weight=" + weight + " resource=" + resource);
    }
    if (generation < 0 || generation > Token.MAX_GENERATION) {
      throw new IllegalArgumentException(
          "generation must be 0.." + Token.MAX_GENERATION + ": generation=" + generation);
    }
  }

  /** Returns the ticket with another weight: an attempt with a smaller one shrinks it in place. */
  public Ticket withWeight(int smaller) {
    return new Ticket(id, resource, shape, smaller, lease, generation, waits, owner, fixed);
  }

  /** Returns the ticket with another shape: the new capacity of a resize. */
  public Ticket withShape(Shape other) {
    return new Ticket(id, resource, other, weight, lease, generation, waits, owner, fixed);
  }

  /** Returns the ticket with another lease: a renewal keeps it for that long. */
  public Ticket withLease(Duration other) {
    return new Ticket(id, resource, shape, weight, other, generation, waits, owner, fixed);
  }
}
