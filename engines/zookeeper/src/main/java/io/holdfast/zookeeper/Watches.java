package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing.Holder;
import io.holdfast.spi.Ticket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.zookeeper.KeeperException.Code;

/** How a ticket begins to watch the one ahead of it that must go in any case. */
final class Watches {

  private final Books books;
  private final BiConsumer<Ticket, Spot> seenIn;

  /**
   * For all that wait.
   *
   * @param seenIn takes those that were seen to be in, and sees to it that they are woken
   */
  Watches(Books books, BiConsumer<Ticket, Spot> seenIn) {
    this.books = books;
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
    Follow follow = new Follow(ticket, spot, watched, spot.ahead == 1, seenIn);
    spot.listensTo(bell, path, follow);
    CompletableFuture<Wire.Node> arms = spot.session.wire().data(path, bell);
    if (spot.ahead > 1 && ticket.shape().kind() == Shape.Kind.MUTEX) {
      earlier(spot, view.seats().get(spot.ahead - 2), follow);
    }
    Child.Seat first = view.seats().get(0);
    CompletableFuture<Optional<Holder>> holder =
        watched.equals(first)
            ? arms.thenApply(Holders::of)
            : Holders.at(spot.session, spot.line, first);
    CompletableFuture<Boolean> armed =
        Passing.then(
            arms, node -> holder.thenApply(spot::isBehind), failure -> failed(spot, path, failure));
    return books.hasOthers(spot) ? later(spot, follow, armed) : armed;
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

  private static CompletableFuture<Boolean> failed(Spot spot, String path, Throwable failure) {
    spot.forgetBell();
    spot.session.bells().forget(path, failure);
    spot.suspect();
    return Words.code(failure) == Code.NONODE
        ? CompletableFuture.completedFuture(false)
        : CompletableFuture.failedFuture(failure);
  }

  /** Nothing depends on it: it is only quicker than to look when the one in between goes. */
  private static void earlier(Spot spot, Child.Seat seat, Follow follow) {
    String path = spot.line + "/" + seat.name();
    Bell bell = spot.session.bells().ofNode(path);
    spot.hears(bell, follow);
    CompletableFuture<?> unused =
        spot.session
            .wire()
            .data(path, bell)
            .whenComplete(
                (node, failure) -> {
                  if (failure != null) {
                    spot.session.bells().forget(path, failure);
                    follow.earlierIsGone();
                  }
                });
  }
}
