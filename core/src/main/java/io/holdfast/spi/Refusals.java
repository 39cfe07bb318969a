package io.holdfast.spi;

import io.holdfast.spi.EngineException.Refused;

/**
 * The refusals of a store, worded once for every engine.
 *
 * <p>Each message says what failed, for which name, at which store, why, and what to do.
 */
public final class Refusals {

  private final String store;

  /**
   * Creates the refusals of a store.
   *
   * @param store the store's address without secrets
   */
  public Refusals(String store) {
    this.store = store;
  }

  /** Returns the refusal of every verb after the engine was closed. */
  public Refused closed() {
    return new Refused("the engine of " + store + " is closed: connect again");
  }

  /**
   * Returns the refusal of a shape that the store does not serve.
   *
   * @param why the reason, or empty; see {@link LockEngine#whyNot}
   */
  public Refused notServed(Resource resource, Shape shape, String why) {
    return new Refused(
        store
            + " has no "
            + shape
            + (why.isEmpty() ? "" : ": " + why)
            + "; asked for "
            + resource
            + "; use a store that has it");
  }

  /** Returns the refusal of a client whose generation is lower than the store's. */
  public Refused generation(Ticket ticket, int known) {
    return new Refused(
        about(ticket)
            + " was refused: generation "
            + ticket.generation()
            + " of this client is lower than generation "
            + known
            + " of the store; set the client's generation to "
            + known);
  }

  /** Returns the refusal of a ticket that has left and must not come back. */
  public Refused left(Ticket ticket) {
    return new Refused(
        about(ticket) + " was refused: this ticket has left; acquire again with a new ticket");
  }

  /** Returns the refusal of a ticket that an operator revoked or evicted. */
  public Refused revoked(Ticket ticket, String reason) {
    return new Refused(
        about(ticket)
            + " was taken from this holder by an operator, with the reason "
            + Text.quote(reason)
            + ": stop the work, release the hold and acquire again");
  }

  /** Returns the refusal of a ticket whose shape differs from the line's. */
  public Refused shape(Ticket ticket, Shape stored) {
    return new Refused(
        about(ticket)
            + " is in use as a "
            + stored
            + ", and was asked for as a "
            + ticket.shape()
            + ": use one shape for a name, or another name");
  }

  /** Returns the refusal of a semaphore without a stated capacity where no line exists. */
  public Refused nothingToAdopt(Ticket ticket) {
    return new Refused(
        about(ticket)
            + " is not in use, so it has no capacity to adopt: state a number of permits");
  }

  /** Returns the refusal of a ticket that is heavier than the capacity. */
  public Refused heavierThanCapacity(Ticket ticket, long capacity) {
    return new Refused(
        about(ticket)
            + " has a capacity of "
            + capacity
            + ", which is less than the requested "
            + ticket.weight()
            + ": request less, or resize it");
  }

  /** Returns the refusal of a ticket that tries to grow in place. */
  public Refused heavierThanBefore(Ticket ticket, long before) {
    return new Refused(
        about(ticket)
            + " cannot grow in place from "
            + before
            + " to "
            + ticket.weight()
            + ": release it and acquire the larger part");
  }

  /** Returns the refusal of a resize of something other than a semaphore. */
  public Refused resize(Ticket ticket) {
    return new Refused(
        about(ticket)
            + " cannot be resized to a "
            + ticket.shape()
            + ": only semaphores can be resized, to a stated number of permits");
  }

  /** Returns the refusal to settle something other than a once or a mutex. */
  public Refused settle(Ticket ticket) {
    return new Refused(
        about(ticket)
            + " cannot be marked as done or kept because it is a "
            + ticket.shape()
            + ": only once has marks, and only mutexes can be kept");
  }

  /** Returns the name and the store, as the beginning of a sentence. */
  public String about(Ticket ticket) {
    return ticket.resource() + " at " + store;
  }
}
