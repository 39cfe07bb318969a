package io.holdfast.jdbc.table;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.Optional;

/** What a verb does to a resource whose row is locked. */
final class Rules {

  private final Refusals refusals;
  private final AnyRules any;
  private final LineRules line;

  Rules(Refusals refusals) {
    this.refusals = refusals;
    this.any = new AnyRules(refusals);
    this.line = new LineRules(refusals);
  }

  /** A refusal that needs no look at the store. */
  Optional<Refused> refusal(Verb verb) {
    Ticket ticket = verb.ticket();
    Shape shape = ticket.shape();
    if (verb instanceof Verb.Settle && shape.kind() != Shape.Kind.ONCE) {
      return Optional.of(refusals.settle(ticket));
    }
    boolean isSize = shape.kind() == Shape.Kind.SEMAPHORE && shape.capacity() != Shape.ADOPT;
    return verb instanceof Verb.Resize && !isSize
        ? Optional.of(refusals.resize(ticket))
        : Optional.empty();
  }

  Answer apply(Verb verb, Head head) {
    Ticket ticket = verb.ticket();
    boolean isLine = Letters.isLine(ticket.shape());
    try {
      if (verb instanceof Verb.Attempt) {
        return attempt(verb, head);
      }
      if (verb instanceof Verb.Renew) {
        return Answer.of(verb, isLine ? line.renew(head, ticket) : any.renew(head, ticket));
      }
      if (verb instanceof Verb.Leave leave) {
        return Answer.of(verb, leave(head, leave));
      }
      if (verb instanceof Verb.Settle settle) {
        return Answer.of(verb, any.settle(head, ticket, settle.keep()));
      }
      requireGeneration(head, ticket);
      return Answer.of(verb, line.resize(head, ticket));
    } catch (Refused e) {
      return Answer.of(verb, e);
    }
  }

  private Answer attempt(Verb verb, Head head) throws Refused {
    Ticket ticket = verb.ticket();
    String id = ticket.id().encoded();
    Optional<Gone.Departure> departure = head.gone.find(id);
    if (departure.isPresent()) {
      String words = departure.get().evicted();
      throw words == null ? refusals.left(ticket) : refusals.revoked(ticket, words);
    }
    requireGeneration(head, ticket);
    if (!Letters.isLine(ticket.shape())) {
      return Answer.of(verb, any.attempt(head, ticket));
    }
    Standing standing = line.attempt(head, ticket);
    Seat seat = head.find(id);
    return new Answer(verb, standing, seat == null ? 0 : seat.place);
  }

  private Left leave(Head head, Verb.Leave leave) {
    Ticket ticket = leave.ticket();
    if (leave.inDoubt()) {
      head.gone.add(ticket.id().encoded(), head.now + Micros.of(ticket.lease()), null);
      head.changed = true;
    }
    return Letters.isLine(ticket.shape()) ? line.leave(head, ticket) : any.leave(head, ticket);
  }

  private void requireGeneration(Head head, Ticket ticket) throws Refused {
    if (ticket.generation() < head.known) {
      throw refusals.generation(ticket, head.known);
    }
    head.known = ticket.generation();
  }
}
