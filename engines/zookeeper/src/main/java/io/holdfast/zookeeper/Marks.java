package io.holdfast.zookeeper;

import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Marks of finished runs: nodes that belong to no session. When one was made is the store's word,
 * and so is what time it is: the time of a ticket's own join.
 */
final class Marks {

  private static final byte[] NOTHING = {};

  private final Books books;

  Marks(Books books) {
    this.books = books;
  }

  /** How long the longest of these stays; empty if none does. Those that are over are deleted. */
  CompletableFuture<Optional<Duration>> left(Spot spot, List<Child.Mark> marks) {
    long now = spot.joinedMillis + Math.max(0, (books.now() - spot.joinedNanos) / 1_000_000);
    return left(spot.session, spot.line, marks, now);
  }

  CompletableFuture<Optional<Duration>> left(
      Session session, String line, List<Child.Mark> marks, long nowMillis) {
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (Child.Mark mark : marks) {
      String path = line + "/" + mark.name();
      all.add(
          session
              .wire()
              .exists(path)
              .thenCompose(
                  stat -> {
                    long left =
                        stat.isEmpty()
                            ? 0
                            : mark.keepMillis() - (nowMillis - stat.get().getCtime());
                    return left > 0
                        ? CompletableFuture.completedFuture(left)
                        : session.wire().remove(path).thenApply(gone -> 0L);
                  }));
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            done ->
                all.stream()
                    .map(CompletableFuture::join)
                    .filter(left -> left > 0)
                    .max(Long::compare)
                    .map(Duration::ofMillis));
  }

  /** Turns a ticket that is in into a mark, in one step. */
  CompletableFuture<Boolean> settle(Session session, Ticket ticket, Duration keep) {
    String line = session.namespaces().line(ticket);
    String maker = ticket.id().encoded();
    Spot spot = books.spot(ticket);
    if (spot == null || spot.session != session || spot.phase != Spot.Phase.IN) {
      return books.hasSettled(ticket)
          ? isMarked(session, line, maker)
          : CompletableFuture.completedFuture(false);
    }
    books.settled(ticket);
    return Passing.then(
        session.wire().multi(steps(spot, maker, keep)),
        results -> {
          books.remove(spot);
          return CompletableFuture.completedFuture(true);
        },
        failure -> {
          Code code = Words.code(failure);
          // An answer that got lost, or a node that was deleted: the mark tells.
          return code == Code.NONODE || code == Code.NODEEXISTS
              ? isMarked(session, line, maker)
              : CompletableFuture.failedFuture(failure);
        });
  }

  private static List<Op> steps(Spot spot, String maker, Duration keep) {
    long millis = Math.max(1, keep.plusNanos(999_999).toMillis());
    String mark = spot.line + "/" + Child.mark(millis, maker);
    return List.of(
        Op.delete(spot.node(), -1),
        spot.session.wire().creates(mark, NOTHING, CreateMode.PERSISTENT));
  }

  private static CompletableFuture<Boolean> isMarked(Session session, String line, String maker) {
    return session
        .wire()
        .children(line, null)
        .thenApply(
            children -> Roll.of(children).marks().stream().anyMatch(m -> m.maker().equals(maker)))
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }
}
