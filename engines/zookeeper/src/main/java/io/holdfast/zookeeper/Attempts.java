package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The verb attempt. Those that are new and simply want in line are joined together. */
final class Attempts {

  private static final int TRIES = 20;

  /** One that asks. */
  record Asker(Ticket ticket, Wake wake) {}

  private final Words words;
  private final Books books;
  private final Joins joins;
  private final Looks looks;
  private final Peeks peeks;
  private final Insiders insiders;

  Attempts(Words words, Books books, Joins joins, Looks looks, Peeks peeks) {
    this.words = words;
    this.books = books;
    this.joins = joins;
    this.looks = looks;
    this.peeks = peeks;
    this.insiders = new Insiders(words, books, looks);
  }

  /** Answers in their order; each on its own. */
  List<CompletableFuture<Standing>> attempt(Session session, List<Asker> askers) {
    List<CompletableFuture<Standing>> answers = new ArrayList<>();
    List<Joins.Entrant> entrants = new ArrayList<>();
    List<CompletableFuture<Standing>> joining = new ArrayList<>();
    for (Asker asker : askers) {
      CompletableFuture<Standing> answer;
      if (isNew(asker.ticket)) {
        CompletableFuture<Standing> later = new CompletableFuture<>();
        answer = books.inTurn(asker.ticket, () -> later);
        entrants.add(entrant(session, asker.ticket, asker.ticket.shape(), asker.wake));
        joining.add(later);
      } else {
        answer = books.inTurn(asker.ticket, () -> known(session, asker.ticket, asker.wake));
      }
      answers.add(answer);
    }
    List<CompletableFuture<Standing>> standings = join(session, entrants);
    for (int i = 0; i < entrants.size(); i++) {
      Passing.on(standings.get(i), joining.get(i));
    }
    return answers;
  }

  /**
   * Joins. Where others of this client are, a newcomer is hardly alone: then the list that it will
   * be judged by is asked for right behind the join, in the same trip.
   */
  private List<CompletableFuture<Standing>> join(Session session, List<Joins.Entrant> entrants) {
    List<CompletableFuture<Boolean>> joined = joins.join(session, entrants);
    List<CompletableFuture<Standing>> standings = new ArrayList<>();
    for (int i = 0; i < entrants.size(); i++) {
      Spot spot = entrants.get(i).spot();
      CompletableFuture<List<String>> list =
          spot.sight.isShared()
              ? session.wire().children(spot.line, null)
              : CompletableFuture.completedFuture(List.of());
      standings.add(stands(entrants.get(i), joined.get(i), list));
    }
    return standings;
  }

  private boolean isNew(Ticket ticket) {
    return ticket.waits()
        && ticket.shape().capacity() != Shape.ADOPT
        && books.spot(ticket) == null
        && !books.hasDeparted(ticket)
        && !books.isBusy(ticket);
  }

  private Joins.Entrant entrant(Session session, Ticket ticket, Shape shape, Wake wake) {
    Spot spot = books.newSpot(ticket, session);
    spot.onWake(wake);
    Spot before = books.spot(ticket);
    spot.doubtful = before != null && before.doubtful;
    books.put(spot);
    return new Joins.Entrant(ticket, shape, spot);
  }

  private CompletableFuture<Standing> stands(
      Joins.Entrant entrant,
      CompletableFuture<Boolean> joined,
      CompletableFuture<List<String>> list) {
    Spot spot = entrant.spot();
    return joined
        .whenComplete(
            (alone, failure) -> {
              if (failure != null && spot.name.isEmpty() && !isUnknown(failure, entrant)) {
                // The store made nothing.
                books.remove(spot);
              }
            })
        .thenCompose(alone -> stands(entrant, alone, list))
        .exceptionallyCompose(
            failure ->
                isRefused(failure, entrant.ticket())
                    ? refused(entrant, failure)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Standing> stands(
      Joins.Entrant entrant, boolean alone, CompletableFuture<List<String>> list) {
    Spot spot = entrant.spot();
    if (Places.areUsedUp(spot.place)) {
      return Places.beginAnew(spot, books, words.refusals().about(entrant.ticket()));
    }
    if (alone) {
      spot.accepted = true;
      books.isIn(spot);
      return CompletableFuture.completedFuture(looks.granted(spot));
    }
    return looks.look(entrant.ticket(), spot, list);
  }

  private boolean isRefused(Throwable failure, Ticket ticket) {
    return words.of(failure, ticket) instanceof EngineException.Refused;
  }

  private boolean isUnknown(Throwable failure, Joins.Entrant entrant) {
    return words.of(failure, entrant.ticket()) instanceof EngineException.Unknown;
  }

  /**
   * A newcomer that is refused is asked for no more, and nobody leaves for it: it leaves nothing,
   * here or in the store, also if it has joined and may not look.
   */
  private CompletableFuture<Standing> refused(Joins.Entrant entrant, Throwable failure) {
    Spot spot = entrant.spot();
    boolean stands = books.spot(entrant.ticket()) == spot && !spot.name.isEmpty();
    books.remove(spot);
    if (spot.doubtful || stands) {
      books.doubts(entrant.ticket(), spot.session, spot.line);
    }
    CompletableFuture<?> gone =
        stands ? spot.session.wire().remove(spot.node()) : CompletableFuture.completedFuture(true);
    return gone.handle((done, other) -> done)
        .thenCompose(done -> CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Standing> join(Session session, Ticket ticket, Shape shape, Wake wake) {
    return join(session, List.of(entrant(session, ticket, shape, wake))).get(0);
  }

  private CompletableFuture<Standing> known(Session session, Ticket ticket, Wake wake) {
    if (books.hasDeparted(ticket)) {
      return refuse(words.refusals().left(ticket));
    }
    Spot spot = books.spot(ticket);
    if (spot != null && spot.session != session) {
      // What it had went with its session.
      books.remove(spot);
      spot = null;
    }
    if (spot == null) {
      return come(session, ticket, wake, TRIES);
    }
    spot.onWake(wake);
    return switch (spot.phase) {
      case JOINING -> recover(session, ticket, spot, wake);
      case WAITING -> again(ticket, spot);
      case IN -> insiders.ask(ticket, spot);
    };
  }

  /** Looks before it joins: it must not leave a trace, or needs the stored capacity. */
  private CompletableFuture<Standing> come(Session session, Ticket ticket, Wake wake, int tries) {
    boolean adopts = ticket.shape().capacity() == Shape.ADOPT;
    if (ticket.waits() && !adopts) {
      return join(session, ticket, ticket.shape(), wake);
    }
    return peeks
        .peek(session, ticket)
        .thenCompose(
            roll -> {
              Shape stored = roll.shape().orElse(ticket.shape());
              if (!roll.marks().isEmpty() && tries > 0) {
                return marked(session, ticket, wake, roll, tries);
              } else if (adopts && roll.seats().isEmpty()) {
                return refuse(words.refusals().nothingToAdopt(ticket));
              } else if (!ticket.shape().fits(stored)) {
                return refuse(words.refusals().shape(ticket, stored));
              } else if (ticket.weight() > stored.capacity()) {
                return refuse(words.refusals().heavierThanCapacity(ticket, stored.capacity()));
              }
              boolean room = roll.as(stored).hasRoomFor(ticket.weight());
              return room || ticket.waits()
                  ? join(session, ticket, stored, wake)
                  : peeks.turnedAway(session, ticket, roll);
            });
  }

  private CompletableFuture<Standing> marked(
      Session session, Ticket ticket, Wake wake, Roll roll, int tries) {
    return peeks
        .done(session, ticket, roll)
        .thenCompose(
            done -> {
              if (done.isEmpty()) {
                return come(session, ticket, wake, tries - 1);
              }
              return ticket.shape().kind() == Shape.Kind.ONCE
                  ? CompletableFuture.completedFuture(new Standing.Done(done.get()))
                  : refuse(words.refusals().shape(ticket, Shape.once()));
            });
  }

  /**
   * A join was not answered: if it was executed, the node has the ticket's id. If it was not, the
   * ticket comes anew; that there is a doubt is remembered until that is answered.
   */
  private CompletableFuture<Standing> recover(
      Session session, Ticket ticket, Spot spot, Wake wake) {
    return joins
        .recover(ticket, spot)
        .thenCompose(
            found -> {
              if (found) {
                return looks.look(ticket, spot);
              }
              return come(session, ticket, wake, TRIES)
                  .whenComplete(
                      (answer, failure) -> {
                        if (failure == null || isRefused(failure, ticket)) {
                          books.remove(spot);
                        }
                      });
            });
  }

  /**
   * One that waits. As long as a signal is armed and the last look is not old, two nodes are read
   * instead of the whole line.
   */
  private CompletableFuture<Standing> again(Ticket ticket, Spot spot) {
    boolean fresh = books.now() - spot.lookedAt < books.leaseNanos() / 3;
    return spot.mustLook() || !fresh || ticket.shape().kind() == Shape.Kind.ONCE
        ? looks.lookAgain(ticket, spot)
        : looks.poll(ticket, spot);
  }

  private static CompletableFuture<Standing> refuse(EngineException why) {
    return CompletableFuture.failedFuture(new Words.Told(why));
  }
}
