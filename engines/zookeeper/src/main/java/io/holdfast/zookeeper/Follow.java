package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * What follows when the ticket that a waiter watches is gone. If nobody else is ahead of the waiter
 * by what its client has seen, it is in, and nothing need be asked: that saves a trip in every turn
 * of a mutex. So that this is known by then, the ticket before the watched one is watched too. Else
 * the line is listed at once, on the connection's own thread.
 *
 * <p>Why no rival gets in: a list that shows a ticket shows all that are ahead of it, from whatever
 * server, so who is first by what was seen is first in the store. That holds only while its own
 * node is there: {@link OwnNodeWatch} says so, or else the list must show it.
 */
final class Follow implements Runnable {

  private final Ticket ticket;
  private final Spot spot;
  private final Child.Seat watched;
  private final BiConsumer<Ticket, Spot> seenIn;

  /**
   * For a ticket that is about to watch another one.
   *
   * @param seenIn takes the ticket when it was seen to be in
   */
  Follow(Ticket ticket, Spot spot, Child.Seat watched, BiConsumer<Ticket, Spot> seenIn) {
    this.ticket = ticket;
    this.spot = spot;
    this.watched = watched;
    this.seenIn = seenIn;
  }

  /** The watched ticket is gone. */
  @Override
  public void run() {
    Shape.Kind kind = ticket.shape().kind();
    spot.sight.gone(watched.name());
    if (spot.resized) {
      // Its token is not that of its join: see Permits.
      spot.wake();
    } else if (kind == Shape.Kind.MUTEX && spot.own.isThere() && spot.sight.isFirst(spot.name)) {
      seenIn.accept(ticket, spot);
    } else if (kind == Shape.Kind.MUTEX || kind == Shape.Kind.READ_WRITE) {
      list();
    } else {
      spot.wake();
    }
  }

  private void list() {
    CompletableFuture<?> unused =
        spot.session
            .wire()
            .children(spot.line, null)
            .whenComplete(
                (children, failure) -> {
                  if (failure == null && isIn(spot.sight.read(children))) {
                    seenIn.accept(ticket, spot);
                  } else {
                    spot.wake();
                  }
                });
  }

  private boolean isIn(Roll roll) {
    Roll.View view = roll.as(ticket.shape());
    int index = view.indexOf(spot.name);
    return index >= 0 && view.isIn(index) && roll.marks().isEmpty();
  }
}
