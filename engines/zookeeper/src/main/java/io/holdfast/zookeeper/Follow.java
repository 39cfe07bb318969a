package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * What follows when the one that a ticket watches is gone. If nobody else is ahead of it by what
 * its client has seen, it is in, and nothing need be asked. So that this is known by then, the one
 * before that is watched too. Else it is asked at once, on the connection's own thread, so that
 * whoever is woken need not: once in, it stays in.
 *
 * <p>Any list will do, from whatever server: it shows all that are ahead, and may only miss that
 * some of them have left. Who is not seen to be in looks again when it asks.
 */
final class Follow implements Runnable {

  private final Ticket ticket;
  private final Spot spot;
  private final Child.Seat watched;
  private final BiConsumer<Ticket, Spot> seenIn;

  /**
   * For one that is about to watch.
   *
   * @param seenIn takes the ticket when it was seen to be in
   */
  Follow(Ticket ticket, Spot spot, Child.Seat watched, BiConsumer<Ticket, Spot> seenIn) {
    this.ticket = ticket;
    this.spot = spot;
    this.watched = watched;
    this.seenIn = seenIn;
  }

  /** The one that it watched is gone. */
  @Override
  public void run() {
    Shape.Kind kind = ticket.shape().kind();
    spot.sight.gone(watched.name());
    if (spot.resized) {
      // Its token is not that of its join: see Permits.
      spot.wake();
    } else if (kind == Shape.Kind.MUTEX && spot.sight.isFirst(spot.name)) {
      spot.clear();
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
                    spot.clear();
                  }
                  seenIn.accept(ticket, spot);
                });
  }

  private boolean isIn(Roll roll) {
    Roll.View view = roll.as(ticket.shape());
    int index = view.indexOf(spot.name);
    return index >= 0 && view.isIn(index) && roll.marks().isEmpty();
  }
}
