package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Lists the line when the ticket that a waiter watches is gone, and lets the waiter in if it may.
 * The list is asked for on the connection's own thread, so a waiter that is in need not ask again.
 *
 * <p>Why no rival gets in: the server that reported the deletion has applied it, so its list is not
 * older. The list shows everybody ahead of the waiter, and it shows the waiter's own node: a waiter
 * whose node was deleted is not in, whatever this client saw earlier. Who is not seen to be in
 * looks again when it asks.
 */
final class Follow implements Runnable {

  private final Ticket ticket;
  private final Spot spot;
  private final BiConsumer<Ticket, Spot> seenIn;

  /**
   * For a ticket that is about to watch another one.
   *
   * @param seenIn takes the ticket when it was seen to be in
   */
  Follow(Ticket ticket, Spot spot, BiConsumer<Ticket, Spot> seenIn) {
    this.ticket = ticket;
    this.spot = spot;
    this.seenIn = seenIn;
  }

  /** The watched ticket is gone. */
  @Override
  public void run() {
    Shape.Kind kind = ticket.shape().kind();
    // After a resize its token is not that of its join: see Permits.
    if (!spot.resized && (kind == Shape.Kind.MUTEX || kind == Shape.Kind.READ_WRITE)) {
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
