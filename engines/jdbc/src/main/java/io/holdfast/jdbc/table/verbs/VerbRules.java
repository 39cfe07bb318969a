package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.table.layout.DepartedColumn;
import io.holdfast.jdbc.table.layout.Micros;
import io.holdfast.jdbc.table.layout.ResourceRow;
import io.holdfast.jdbc.table.layout.ShapeCode;
import io.holdfast.jdbc.table.layout.TicketRow;
import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.Optional;

/** Applies a verb to a resource whose row is locked. */
final class VerbRules {

  private final Refusals refusals;
  private final UnorderedRules any;
  private final FifoRules line;

  VerbRules(Refusals refusals) {
    this.refusals = refusals;
    this.any = new UnorderedRules(refusals);
    this.line = new FifoRules(refusals);
  }

  VerbResult apply(Verb verb, ResourceRow row) {
    Ticket ticket = verb.ticket();
    boolean isLine = ShapeCode.isLine(ticket.shape());
    try {
      if (verb instanceof Verb.Attempt) {
        return attempt(verb, row);
      }
      if (verb instanceof Verb.Renew) {
        return VerbResult.of(verb, isLine ? line.renew(row, ticket) : any.renew(row, ticket));
      }
      if (verb instanceof Verb.Leave leave) {
        return VerbResult.of(verb, leave(row, leave));
      }
      if (verb instanceof Verb.Settle settle) {
        return VerbResult.of(
            verb,
            isLine
                ? line.settle(row, ticket, settle.keep())
                : any.settle(row, ticket, settle.keep()));
      }
      requireGeneration(row, ticket);
      return VerbResult.of(verb, line.resize(row, ticket));
    } catch (Refused e) {
      return VerbResult.of(verb, e);
    }
  }

  private VerbResult attempt(Verb verb, ResourceRow row) throws Refused {
    Ticket ticket = verb.ticket();
    String id = ticket.id().encoded();
    Optional<DepartedColumn.Departure> departure = row.gone.find(id);
    if (departure.isPresent()) {
      String words = departure.get().evicted();
      throw words == null ? refusals.left(ticket) : refusals.revoked(ticket, words);
    }
    requireGeneration(row, ticket);
    if (!ShapeCode.isLine(ticket.shape())) {
      return VerbResult.of(verb, any.attempt(row, ticket));
    }
    Standing standing = line.attempt(row, ticket);
    TicketRow ticketRow = row.find(id);
    return new VerbResult(verb, standing, ticketRow == null ? 0 : ticketRow.place);
  }

  private Left leave(ResourceRow row, Verb.Leave leave) {
    Ticket ticket = leave.ticket();
    if (leave.inDoubt()) {
      row.gone.add(ticket.id().encoded(), row.now + Micros.of(ticket.lease()), null);
      row.changed = true;
    }
    return ShapeCode.isLine(ticket.shape()) ? line.leave(row, ticket) : any.leave(row, ticket);
  }

  private void requireGeneration(ResourceRow row, Ticket ticket) throws Refused {
    if (ticket.generation() < row.known) {
      throw refusals.generation(ticket, row.known);
    }
    row.known = ticket.generation();
  }
}
