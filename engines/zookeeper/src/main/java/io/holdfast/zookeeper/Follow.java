package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.concurrent.CompletableFuture;

/**
 * What follows when the one that a ticket watches is gone. Whether the ticket is in now is asked at
 * once, on the connection's own thread, so that whoever is woken need not: once in, it stays in. If
 * only that one was ahead of it, nobody can have come between.
 *
 * <p>Any list will do, from whatever server: it shows all that are ahead, and may only miss that
 * some of them have left. Who is not seen to be in looks again when it asks.
 *
 * @param ahead how many were ahead of it when it began to watch
 */
record Follow(Ticket ticket, Spot spot, int ahead) implements Runnable {

  @Override
  public void run() {
    Shape.Kind kind = ticket.shape().kind();
    if (kind == Shape.Kind.MUTEX && ahead == 1) {
      spot.clear();
      spot.wake();
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
                  if (failure == null && isIn(Roll.of(children))) {
                    spot.clear();
                  }
                  spot.wake();
                });
  }

  private boolean isIn(Roll roll) {
    Roll.View view = roll.as(ticket.shape());
    int index = view.indexOf(spot.name);
    return index >= 0 && view.isIn(index) && roll.marks().isEmpty();
  }
}
