package io.holdfast.spi;

import java.time.Duration;
import java.util.HexFormat;

/**
 * One claim to part of a resource. Its id is the ownership: whoever knows it can renew and leave.
 *
 * @param id the secret; never shown in listings, logs or guards
 * @param weight how much of the capacity it takes, 1..capacity
 * @param lease how long the store keeps the ticket, waiting or granted, without hearing of it
 * @param generation the client's generation; a store that knows a higher one refuses
 * @param waits whether the ticket joins the line when it cannot get in at once; if not, an attempt
 *     that answers {@link Standing.Waiting} has left nothing behind
 * @param owner the label to show
 * @param fixed whether it is not renewed when it is in, unless its user extends it: a store that
 *     keeps many tickets by one keep-alive must not keep this one by that of others
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
   * and cheaper to make.
   */
  public record Id(long high, long low, long number) {

    /** The id as text for a store: 32 hex digits of the client, a dash, the number in hex. */
    public String encoded() {
      HexFormat hex = HexFormat.of();
      return hex.toHexDigits(high) + hex.toHexDigits(low) + '-' + Long.toHexString(number);
    }

    /** Not the secret: logs must not leak ownership. */
    @Override
    public String toString() {
      return "ticket#" + number;
    }
  }

  /** A ticket that is renewed for as long as it is in. */
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

  /** The same ticket with another weight: an attempt with a smaller one shrinks it in place. */
  public Ticket withWeight(int smaller) {
    return new Ticket(id, resource, shape, smaller, lease, generation, waits, owner, fixed);
  }

  /** The same ticket with another shape: the new capacity of a resize. */
  public Ticket withShape(Shape other) {
    return new Ticket(id, resource, other, weight, lease, generation, waits, owner, fixed);
  }

  /** The same ticket with another lease: a renewal keeps it for that long. */
  public Ticket withLease(Duration other) {
    return new Ticket(id, resource, shape, weight, other, generation, waits, owner, fixed);
  }
}
