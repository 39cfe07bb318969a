package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.Optional;

/**
 * Which tickets are refused because the line is of another shape.
 *
 * <p>Whoever is first when it looks makes the resource what it is; one of another kind behind it is
 * refused, if it was not accepted before. So one that was accepted may still find one of another
 * kind ahead of it, which had joined and not looked: it waits for that one like for any other, see
 * {@link Roll#as}. Whoever is in has therefore nobody of another kind ahead of it, nor one that may
 * yet get in; and since those that are in are in by their places, tokens rise.
 */
final class Misfits {

  private final Words words;

  Misfits(Words words) {
    this.words = words;
  }

  /** A ticket that was not looked at before must be of the shape that the line has. */
  Optional<EngineException> of(Ticket ticket, Spot spot, Roll roll) {
    Shape stored = roll.shape().orElse(ticket.shape());
    boolean first = !roll.seats().isEmpty() && roll.seats().get(0).name().equals(spot.name);
    if (!spot.accepted && !first && !ticket.shape().fits(stored)) {
      return Optional.of(words.refusals().shape(ticket, stored));
    }
    int capacity = roll.as(ticket.shape()).capacity();
    if (!spot.accepted && ticket.shape().capacity() == Shape.ADOPT && spot.stated != capacity) {
      // Resized while it came: what its node states must be what stands.
      return Optional.of(
          new EngineException.NotDone(
              words.refusals().about(ticket) + " was resized just now", null));
    }
    return ticket.weight() > capacity
        ? Optional.of(words.refusals().heavierThanCapacity(ticket, capacity))
        : Optional.empty();
  }
}
