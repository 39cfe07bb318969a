package io.holdfast.memory;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;

/** What is said to those that are refused: what happened, to which name, where, and what to do. */
final class Refusals {

  private Refusals() {}

  static Refused closed(String store) {
    return new Refused("the engine of " + store + " is closed: connect again");
  }

  static Refused generation(String store, Ticket ticket, int known) {
    return new Refused(
        "generation "
            + ticket.generation()
            + " of the client that asks for "
            + ticket.resource()
            + " is lower than generation "
            + known
            + " of "
            + store
            + ": set the client's generation to "
            + known);
  }

  static Refused left(String store, Ticket ticket) {
    return new Refused(
        about(ticket.resource(), store)
            + " is asked for by a ticket that has left: acquire it with a new one");
  }

  static Refused revoked(String store, Ticket ticket, String reason) {
    return new Refused(
        about(ticket.resource(), store)
            + " was taken from this ticket by an operator, who said "
            + quoted(reason)
            + ": stop the work, release it, and acquire it anew");
  }

  static Refused shape(String store, Ticket ticket, Shape stored) {
    return new Refused(
        about(ticket.resource(), store)
            + " is in use as a "
            + stored
            + ", and was asked for as a "
            + ticket.shape()
            + ": use one shape for a name, or another name");
  }

  static Refused nothingToAdopt(String store, Ticket ticket) {
    return new Refused(
        about(ticket.resource(), store)
            + " is not in use, so there is no capacity to take over: state a number of permits");
  }

  static Refused heavierThanCapacity(String store, Ticket ticket, int capacity) {
    return new Refused(
        about(ticket.resource(), store)
            + " has a capacity of "
            + capacity
            + ", and "
            + ticket.weight()
            + " were asked for: ask for less, or resize it");
  }

  static Refused heavierThanBefore(String store, Ticket ticket, int before) {
    return new Refused(
        about(ticket.resource(), store)
            + " cannot grow in place, from "
            + before
            + " to "
            + ticket.weight()
            + ": release it and acquire the larger part anew");
  }

  static Refused resize(String store, Ticket ticket) {
    return new Refused(
        about(ticket.resource(), store)
            + " cannot be resized to a "
            + ticket.shape()
            + ": only semaphores can be resized, and to a stated number of permits");
  }

  static Refused settle(String store, Ticket ticket) {
    return new Refused(
        about(ticket.resource(), store)
            + " cannot be marked as done, for it is a "
            + ticket.shape()
            + ": only once has marks");
  }

  /** Foreign text within a message: it must not break the line or pretend to be ours. */
  static String quoted(String text) {
    return '"' + text.replaceAll("\\p{C}|[\u2028\u2029]", "?") + '"';
  }

  private static String about(Resource resource, String store) {
    return resource + " at " + store;
  }
}
