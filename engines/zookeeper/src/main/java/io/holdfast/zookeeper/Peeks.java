package io.holdfast.zookeeper;

import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/** What a ticket that has no node in the line can see of it. */
final class Peeks {

  private final Books books;
  private final Marks marks;

  Peeks(Books books, Marks marks) {
    this.books = books;
    this.marks = marks;
  }

  /** The line as it stands now. */
  CompletableFuture<Roll> peek(Session session, Ticket ticket) {
    return session
        .catchUp(books::now)
        .thenCompose(done -> session.wire().children(session.namespaces().line(ticket), null))
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(List.of())
                    : CompletableFuture.failedFuture(failure))
        .thenApply(Roll::of);
  }

  /** How long a mark stays; those that are over go. */
  CompletableFuture<Optional<Duration>> done(Session session, Ticket ticket, Roll roll) {
    String line = session.namespaces().line(ticket);
    return marks.left(session, line, roll.marks(), session.storeMillis(books.now()));
  }

  /** What one that does not wait is told. */
  CompletableFuture<Standing> turnedAway(Session session, Ticket ticket, Roll roll) {
    List<Child.Seat> seats = roll.as(ticket.shape()).seats();
    return Holders.at(session, session.namespaces().line(ticket), seats.get(0).name())
        .thenApply(who -> new Standing.Waiting(seats.size(), books.askAgain(), who));
  }
}
