package io.holdfast.zookeeper;

import io.holdfast.spi.Left;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/** The verb leave. Those of one batch that are simply in or in line go in one transaction. */
final class Leaves {

  /** One that leaves. */
  record Leaver(Ticket ticket, boolean inDoubt) {}

  private final Books books;
  private final Joins joins;
  private final Supplier<@Nullable Session> current;

  /**
   * For all that leave.
   *
   * @param current the session that there is, dead or alive
   */
  Leaves(Books books, Joins joins, Supplier<@Nullable Session> current) {
    this.books = books;
    this.joins = joins;
    this.current = current;
  }

  /** Answers in their order; each on its own. */
  List<CompletableFuture<Left>> leave(List<Leaver> leavers) {
    List<CompletableFuture<Left>> answers = new ArrayList<>();
    List<Spot> together = new ArrayList<>();
    List<CompletableFuture<Left>> waiting = new ArrayList<>();
    for (Leaver leaver : leavers) {
      Spot spot = books.spot(leaver.ticket);
      boolean simple =
          spot != null && !leaver.inDoubt && isSimple(spot) && !books.isBusy(leaver.ticket);
      boolean same =
          together.isEmpty() || (spot != null && together.get(0).session == spot.session);
      if (spot != null && simple && same) {
        CompletableFuture<Left> later = new CompletableFuture<>();
        answers.add(books.inTurn(leaver.ticket, () -> later));
        together.add(spot);
        waiting.add(later);
      } else {
        answers.add(books.inTurn(leaver.ticket, () -> alone(leaver)));
      }
    }
    if (!together.isEmpty()) {
      send(together, waiting);
    }
    return answers;
  }

  /** Whether its node is all that there is of it. */
  private static boolean isSimple(Spot spot) {
    return spot.phase != Spot.Phase.JOINING
        && !spot.session.isOver()
        && spot.shrunk == null
        && spot.revoked == null
        && !spot.resized
        && !spot.doubtful;
  }

  private void send(List<Spot> spots, List<CompletableFuture<Left>> answers) {
    Wire wire = spots.get(0).session.wire();
    spots.forEach(spot -> spot.leaving = true);
    if (spots.size() == 1) {
      Passing.on(delete(spots.get(0)), answers.get(0));
      return;
    }
    List<Op> steps = new ArrayList<>();
    spots.forEach(spot -> steps.add(Op.delete(spot.node(), -1)));
    CompletableFuture<?> unused =
        wire.multi(steps)
            .whenComplete(
                (results, failure) -> {
                  for (int i = 0; i < spots.size(); i++) {
                    if (failure == null) {
                      answers.get(i).complete(left(spots.get(i), true));
                    } else if (Words.code(failure) == Code.NONODE) {
                      // One of them was deleted by somebody else, and nobody was heard.
                      Passing.on(delete(spots.get(i)), answers.get(i));
                    } else {
                      answers.get(i).completeExceptionally(failure);
                    }
                  }
                });
  }

  private CompletableFuture<Left> delete(Spot spot) {
    spot.leaving = true;
    return spot.session.wire().remove(spot.node()).thenApply(there -> left(spot, there));
  }

  private Left left(Spot spot, boolean there) {
    books.remove(spot);
    if (!there) {
      return Left.NOTHING;
    }
    return spot.phase == Spot.Phase.IN ? Left.HOLDING : Left.WAITING;
  }

  private CompletableFuture<Left> alone(Leaver leaver) {
    Spot spot = books.spot(leaver.ticket);
    if (leaver.inDoubt) {
      books.departed(leaver.ticket);
    }
    if (spot == null || spot.session.isOver()) {
      if (spot != null) {
        books.remove(spot);
      } else if (leaver.inDoubt) {
        doubt(leaver.ticket);
      }
      return CompletableFuture.completedFuture(Left.NOTHING);
    }
    if (leaver.inDoubt || spot.doubtful) {
      books.doubts(leaver.ticket, spot.session, spot.line);
    }
    CompletableFuture<Boolean> found =
        spot.phase == Spot.Phase.JOINING
            ? joins.recover(leaver.ticket, spot)
            : CompletableFuture.completedFuture(true);
    return found.thenCompose(
        there -> {
          if (!there) {
            books.doubts(leaver.ticket, spot.session, spot.line);
            books.remove(spot);
            return CompletableFuture.completedFuture(Left.NOTHING);
          }
          return delete(spot).thenCompose(left -> tidy(spot).thenApply(done -> left));
        });
  }

  /** Nothing is known of it; what comes late would come in the session that there is. */
  private void doubt(Ticket ticket) {
    Session session = current.get();
    if (session != null && !session.isOver()) {
      books.doubts(ticket, session, session.namespaces().line(ticket));
    }
  }

  /**
   * Takes along what was written about the ticket, and what nobody needs when the line is empty.
   */
  private CompletableFuture<?> tidy(Spot spot) {
    Wire wire = spot.session.wire();
    CompletableFuture<?> last = CompletableFuture.completedFuture(true);
    if (spot.shrunk != null) {
      last = wire.remove(spot.shrunk);
    }
    if (spot.revoked != null) {
      last = wire.remove(spot.line + "/" + Child.revoked(spot.place));
    }
    return spot.resized ? SizeRecords.sweep(wire, spot.line).handle((done, failure) -> true) : last;
  }
}
