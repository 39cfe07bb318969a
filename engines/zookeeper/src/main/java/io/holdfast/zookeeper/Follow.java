package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * What follows when the one that a ticket watches is gone. Whether the ticket is in now is asked at
 * once, on the connection's own thread, so that whoever is woken need not: once in, it stays in. If
 * only that one was ahead of it, nobody can have come between, and nothing need be asked. So that
 * this is known by then, the one before that is watched too: when it goes, the line is looked at.
 *
 * <p>Any list will do, from whatever server: it shows all that are ahead, and may only miss that
 * some of them have left. Who is not seen to be in looks again when it asks.
 */
final class Follow implements Runnable, Bell.Listener {

  private final Ticket ticket;
  private final Spot spot;
  private final Child.Seat watched;
  private final BiConsumer<Ticket, Spot> seenIn;
  private volatile boolean alone;

  /**
   * For one that is about to watch.
   *
   * @param alone whether nobody but the one that it watches is ahead of it
   * @param seenIn takes the ticket when it was seen to be in
   */
  Follow(
      Ticket ticket,
      Spot spot,
      Child.Seat watched,
      boolean alone,
      BiConsumer<Ticket, Spot> seenIn) {
    this.ticket = ticket;
    this.spot = spot;
    this.watched = watched;
    this.alone = alone;
    this.seenIn = seenIn;
  }

  /** The one that it watched is gone. */
  @Override
  public void run() {
    Shape.Kind kind = ticket.shape().kind();
    if (kind == Shape.Kind.MUTEX && alone) {
      spot.clear();
      seenIn.accept(ticket, spot);
    } else if (kind == Shape.Kind.MUTEX || kind == Shape.Kind.READ_WRITE) {
      list(
          roll -> {
            if (isIn(roll)) {
              spot.clear();
            }
          },
          () -> seenIn.accept(ticket, spot));
    } else {
      spot.wake();
    }
  }

  /** Something happened to the one before that. */
  @Override
  public void rung(WatchedEvent event) {
    if (event.getType() == EventType.NodeDeleted) {
      earlierIsGone();
    }
  }

  /** The one before the one that it watches is gone: perhaps that one is alone ahead of it now. */
  void earlierIsGone() {
    list(
        roll -> {
          List<Child.Seat> seats = roll.as(ticket.shape()).seats();
          if (seats.size() > 1
              && seats.get(0).name().equals(watched.name())
              && seats.get(1).name().equals(spot.name)) {
            alone = true;
          }
        },
        () -> {});
  }

  private void list(Consumer<Roll> seen, Runnable then) {
    CompletableFuture<?> unused =
        spot.session
            .wire()
            .children(spot.line, null)
            .whenComplete(
                (children, failure) -> {
                  if (failure == null) {
                    seen.accept(Roll.of(children));
                  }
                  then.run();
                });
  }

  private boolean isIn(Roll roll) {
    Roll.View view = roll.as(ticket.shape());
    int index = view.indexOf(spot.name);
    return index >= 0 && view.isIn(index) && roll.marks().isEmpty();
  }
}
