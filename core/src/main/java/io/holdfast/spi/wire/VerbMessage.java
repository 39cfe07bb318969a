package io.holdfast.spi.wire;

import io.holdfast.spi.Ticket;
import java.time.Duration;

/** One verb on its way to a server, with the ticket of the client. */
public sealed interface VerbMessage {

  /** Returns the ticket. */
  Ticket ticket();

  /**
   * {@link io.holdfast.spi.LockEngine#attempt}.
   *
   * @param waiter the client's number of the waiter, for wakes; 0 for none
   * @param attempt the number of the attempt among those of the waiter
   */
  record Attempt(Ticket ticket, long waiter, long attempt) implements VerbMessage {}

  /** {@link io.holdfast.spi.LockEngine#renew}. */
  record Renew(Ticket ticket) implements VerbMessage {}

  /** {@link io.holdfast.spi.LockEngine#leave}. */
  record Leave(Ticket ticket, boolean inDoubt) implements VerbMessage {}

  /** {@link io.holdfast.spi.LockEngine#settle}. */
  record Settle(Ticket ticket, Duration keep) implements VerbMessage {}

  /** {@link io.holdfast.spi.LockEngine#resize}. */
  record Resize(Ticket ticket) implements VerbMessage {}

  /** Writes the verb. */
  default void write(MessageWriter out) {
    if (this instanceof Attempt attempt) {
      out.put('a').putLong(attempt.waiter).putLong(attempt.attempt);
    } else if (this instanceof Leave leave) {
      out.put('l').put(leave.inDoubt);
    } else if (this instanceof Settle settle) {
      out.put('s').put(settle.keep);
    } else {
      out.put(this instanceof Renew ? 'r' : 'z');
    }
    Wire.write(out, ticket());
  }

  /** Reads a verb. */
  static VerbMessage read(MessageReader in) throws MalformedMessageException {
    byte verb = in.get();
    switch (verb) {
      case 'a' -> {
        long waiter = in.getLong();
        long attempt = in.getLong();
        return new Attempt(Wire.readTicket(in), waiter, attempt);
      }
      case 'l' -> {
        boolean inDoubt = in.getFlag();
        return new Leave(Wire.readTicket(in), inDoubt);
      }
      case 's' -> {
        Duration keep = in.getDuration();
        return new Settle(Wire.readTicket(in), keep);
      }
      case 'r' -> {
        return new Renew(Wire.readTicket(in));
      }
      case 'z' -> {
        return new Resize(Wire.readTicket(in));
      }
      default -> throw Wire.unknown("verb", verb);
    }
  }
}
