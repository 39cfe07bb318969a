package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing.Holder;
import io.holdfast.spi.Ticket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;

/** How a ticket begins to watch the one ahead of it that must go in any case. */
final class Watches {

  /** The part of an id that is the client's. */
  private static final int CLIENT = 33;

  private final BiConsumer<Ticket, Spot> seenIn;

  /**
   * For all that wait.
   *
   * @param seenIn takes those that were seen to be in, and sees to it that they are woken
   */
  Watches(BiConsumer<Ticket, Spot> seenIn) {
    this.seenIn = seenIn;
  }

  /**
   * Watches; answers whether that one is there. Where others of this client are in line, one of
   * them may have been woken and wait for the lane that this one is on: then the answer does not
   * wait for the store. Nothing is lost by that: if it turns out that the watched one is gone, or
   * that the store does not answer, the ticket is woken.
   */
  CompletableFuture<Boolean> on(Ticket ticket, Spot spot, Roll.View view, Child.Seat watched) {
    String path = spot.line + "/" + watched.name();
    Bell bell = spot.session.bells().ofNode(path);
    Follow follow = new Follow(ticket, spot, watched, seenIn);
    spot.listensTo(bell, path, follow);
    CompletableFuture<Wire.Node> arms = spot.session.wire().data(path, bell);
    boolean shared = spot.sight.isShared();
    if (ticket.shape().kind() == Shape.Kind.MUTEX) {
      spot.own.arm();
    }
    if (spot.ahead > 1 && ticket.shape().kind() == Shape.Kind.MUTEX) {
      earlier(ticket, spot, view.seats().get(spot.ahead - 2));
    }
    Child.Seat first = view.seats().get(0);
    CompletableFuture<Boolean> armed =
        Passing.then(
            arms,
            node ->
                (watched.equals(first)
                        ? CompletableFuture.completedFuture(Holders.of(node))
                        : holder(spot, first, shared))
                    .thenApply(spot::isBehind),
            failure -> failed(spot, bell, failure));
    return shared ? later(spot, follow, armed) : armed;
  }

  /**
   * Who is in. Where others of this client are in line, nobody waits to hear it now: who still
   * waits when it asks again is told then.
   */
  private static CompletableFuture<Optional<Holder>> holder(
      Spot spot, Child.Seat first, boolean shared) {
    return shared
        ? CompletableFuture.completedFuture(Optional.empty())
        : Holders.at(spot.session, spot.line, first.name());
  }

  private static CompletableFuture<Boolean> later(
      Spot spot, Follow follow, CompletableFuture<Boolean> armed) {
    CompletableFuture<?> unused =
        armed.whenComplete(
            (there, failure) -> {
              if (failure != null) {
                spot.wake();
              } else if (!there) {
                follow.run();
              }
            });
    return CompletableFuture.completedFuture(true);
  }

  private static CompletableFuture<Boolean> failed(Spot spot, Bell bell, Throwable failure) {
    spot.forgetBell();
    bell.failed();
    spot.suspect();
    return Words.code(failure) == Code.NONODE
        ? CompletableFuture.completedFuture(false)
        : CompletableFuture.failedFuture(failure);
  }

  /**
   * Nothing depends on it: it is only quicker than to look when the one in between goes. Of those
   * of this client it is known when they go.
   */
  private static void earlier(Ticket ticket, Spot spot, Child.Seat seat) {
    if (seat.id().regionMatches(0, ticket.id().encoded(), 0, CLIENT)) {
      return;
    }
    String path = spot.line + "/" + seat.name();
    Bell bell = spot.session.bells().ofNode(path);
    spot.hears(
        bell,
        event -> {
          if (event.getType() == EventType.NodeDeleted) {
            spot.sight.gone(seat.name());
          }
        });
    CompletableFuture<?> unused =
        spot.session
            .wire()
            .data(path, bell)
            .whenComplete(
                (node, failure) -> {
                  if (failure != null) {
                    bell.failed();
                  }
                  if (failure != null && Words.code(failure) == Code.NONODE) {
                    spot.sight.gone(seat.name());
                  }
                });
  }
}
