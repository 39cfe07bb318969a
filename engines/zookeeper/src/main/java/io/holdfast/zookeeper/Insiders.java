package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.util.concurrent.CompletableFuture;

/** Tickets that are in, and ask. */
final class Insiders {

  /** A grant for less than this part of the lease is not worth to be told. */
  private static final int WORTH = 5;

  private final Words words;
  private final Books books;
  private final Looks looks;

  Insiders(Words words, Books books, Looks looks) {
    this.words = words;
    this.books = books;
    this.looks = looks;
  }

  /** It may weigh less from now on. */
  CompletableFuture<Standing> ask(Ticket ticket, Spot spot) {
    if (spot.revoked != null) {
      return refuse(words.refusals().revoked(ticket, spot.revoked));
    }
    if (ticket.weight() > spot.weight) {
      return refuse(words.refusals().heavierThanBefore(ticket, spot.weight));
    }
    return ticket.weight() < spot.weight
        ? Shrinks.shrink(ticket, spot).thenApply(done -> looks.granted(spot))
        : granted(spot);
  }

  /**
   * One whose grant was about to end asks again at once, and would do so without a pause until a
   * beat has shown that the session lasts: it gets that beat if it counts by now, and else is told
   * to come back.
   */
  private CompletableFuture<Standing> granted(Spot spot) {
    Session session = spot.session;
    return isWorthless(session) && session.belief().isStale(books.now())
        ? session.beat(books::now).thenCompose(done -> asBelieved(spot))
        : asBelieved(spot);
  }

  private CompletableFuture<Standing> asBelieved(Spot spot) {
    return isWorthless(spot.session)
        ? refuse(
            new EngineException.NotDone(
                "it is not known yet how long the session at " + words.store() + " lasts", null))
        : CompletableFuture.completedFuture(looks.granted(spot));
  }

  private boolean isWorthless(Session session) {
    return session.belief().left(books.now()) < books.leaseNanos() / WORTH;
  }

  private static CompletableFuture<Standing> refuse(EngineException why) {
    return CompletableFuture.failedFuture(new Words.Told(why));
  }
}
