package io.holdfast.spi;

import io.holdfast.spi.EngineException.Refused;

/**
 * What is said to those that are refused, in the same words by every engine: what happened, to
 * which name, at which store, and what to do.
 */
public final class Refusals {

  private final String store;

  /** Refusals of a store, named by its address without secrets. */
  public Refusals(String store) {
    this.store = store;
  }

  /** The engine is closed. */
  public Refused closed() {
    return new Refused("the engine of " + store + " is closed: connect again");
  }

  /**
   * A shape that the store does not have.
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

  /** A store that has seen a higher generation. */
  public Refused generation(Ticket ticket, int known) {
    return new Refused(
        "generation "
            + ticket.generation()
            + " of the client that asks for "
            + about(ticket)
            + " is lower than generation "
            + known
            + " that it has seen: set the client's generation to "
            + known);
  }

  /** A ticket that has left must not come back. */
  public Refused left(Ticket ticket) {
    return new Refused(
        about(ticket) + " is asked for by a ticket that has left: acquire it with a new one");
  }

  /** A ticket that an operator took away. */
  public Refused revoked(Ticket ticket, String reason) {
    return new Refused(
        about(ticket)
            + " was taken from this ticket by an operator, who said "
            + Text.quote(reason)
            + ": stop the work, release it, and acquire it anew");
  }

  /** The line has another shape. */
  public Refused shape(Ticket ticket, Shape stored) {
    return new Refused(
        about(ticket)
            + " is in use as a "
            + stored
            + ", and was asked for as a "
            + ticket.shape()
            + ": use one shape for a name, or another name");
  }

  /** There is no line whose capacity could be taken over. */
  public Refused nothingToAdopt(Ticket ticket) {
    return new Refused(
        about(ticket)
            + " is not in use, so there is no capacity to take over: state a number of permits");
  }

  /** More than fits was asked for. */
  public Refused heavierThanCapacity(Ticket ticket, long capacity) {
    return new Refused(
        about(ticket)
            + " has a capacity of "
            + capacity
            + ", and "
            + ticket.weight()
            + " were asked for: ask for less, or resize it");
  }

  /** A ticket cannot grow in place. */
  public Refused heavierThanBefore(Ticket ticket, long before) {
    return new Refused(
        about(ticket)
            + " cannot grow in place, from "
            + before
            + " to "
            + ticket.weight()
            + ": release it and acquire the larger part anew");
  }

  /** What cannot be resized. */
  public Refused resize(Ticket ticket) {
    return new Refused(
        about(ticket)
            + " cannot be resized to a "
            + ticket.shape()
            + ": only semaphores can be resized, and to a stated number of permits");
  }

  /** What has no marks. */
  public Refused settle(Ticket ticket) {
    return new Refused(
        about(ticket)
            + " cannot be marked as done, for it is a "
            + ticket.shape()
            + ": only once has marks");
  }

  /** The name and the store, to begin a sentence with. */
  public String about(Ticket ticket) {
    return ticket.resource() + " at " + store;
  }
}
