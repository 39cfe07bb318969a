package io.holdfast.spi.support;

import io.holdfast.spi.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LineRules} need from a store besides the line itself.
 *
 * <p>The rules call it during a verb, so it acts within the same atomic step: under the same lock,
 * or in the same transaction.
 */
public interface LineStore {

  /**
   * A ticket that is out for good, remembered for one lease (rule 8).
   *
   * @param end the time at which the store forgets the departure
   * @param evicted the operator's reason; null if the ticket left by itself
   */
  record Departure(long end, @Nullable String evicted) {}

  /** Returns the departure of a ticket, or null if it has none at this time. */
  @Nullable Departure findDeparture(Ticket.Id id, long now);

  /**
   * Raises the generation of the ticket's namespace to that of the ticket, unless it is higher
   * already, and returns the result.
   */
  int raiseGeneration(Ticket ticket);

  /** Returns the token of a new grant: higher than all tokens of this line before. */
  long mint(int generation);
}
