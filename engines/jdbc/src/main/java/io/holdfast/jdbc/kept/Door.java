package io.holdfast.jdbc.kept;

import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;

/** Turns away what a mode cannot do at all. */
public final class Door {

  private final EngineTraits traits;
  private final Refusals refusals;
  private final String whyNot;

  /** A door for those that the traits serve. */
  public Door(EngineTraits traits, String whyNot) {
    this.traits = traits;
    this.refusals = new Refusals(traits.store());
    this.whyNot = whyNot;
  }

  /** Whether the database is to be asked; if not, the verb has been refused. */
  public boolean lets(Verb verb) {
    Ticket ticket = verb.ticket();
    if (verb instanceof Verb.Settle) {
      verb.fail(refusals.settle(ticket));
    } else if (verb instanceof Verb.Resize) {
      verb.fail(refusals.resize(ticket));
    } else if (verb instanceof Verb.Attempt && !traits.serves(ticket.shape())) {
      verb.fail(refusals.notServed(ticket.resource(), ticket.shape(), whyNot));
    }
    return !verb.isComplete();
  }

  /** The words for those that are refused. */
  public Refusals refusals() {
    return refusals;
  }
}
