package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The verb renew. The session is kept alive by its beat, for all tickets alike; a renewal says how
 * long that will do, after one more beat if the last is not fresh. The store is asked with the
 * first renewal, and then only when something has happened in the line; behind a write, which those
 * of a batch share: so whatever was said to the ticket before, at whichever server, is seen.
 * Whether something happened that was not told is the patrol's to find. So ten thousand that are
 * held cost as many requests as ten.
 */
final class Keeps {

  private final Words words;
  private final Books books;
  private final Patrol patrol;

  Keeps(Words words, Books books, Patrol patrol) {
    this.words = words;
    this.books = books;
    this.patrol = patrol;
  }

  /** Answers in their order; each on its own. */
  List<CompletableFuture<Renewal>> renew(List<Ticket> tickets) {
    Set<Session> pushed = new HashSet<>();
    List<CompletableFuture<Renewal>> answers = new ArrayList<>();
    for (Ticket ticket : tickets) {
      Spot spot = books.spot(ticket);
      if (spot != null && spot.mustLook() && pushed.add(spot.session)) {
        spot.session.push();
      }
      answers.add(books.inTurn(ticket, () -> renew(ticket)));
    }
    return answers;
  }

  private CompletableFuture<Renewal> renew(Ticket ticket) {
    Spot spot = books.spot(ticket);
    if (spot == null) {
      return gone(
          books.hasEnded(ticket) ? Renewal.Cause.SESSION_OVER : Renewal.Cause.UNKNOWN_TICKET, "");
    }
    if (spot.session.isOver()) {
      return over(spot);
    }
    if (spot.phase != Spot.Phase.IN) {
      return gone(Renewal.Cause.UNKNOWN_TICKET, "");
    }
    if (spot.revoked != null) {
      return gone(Renewal.Cause.REVOKED, spot.revoked);
    }
    if (spot.session.belief().isStale(books.now())) {
      return spot.session.beat(books::now).thenCompose(confirmed -> keep(spot));
    }
    return keep(spot);
  }

  private CompletableFuture<Renewal> keep(Spot spot) {
    long now = books.now();
    long silence = spot.session.belief().silence(now);
    if (spot.session.isOver()) {
      return over(spot);
    }
    if (spot.session.belief().left(now) <= 0 || silence > books.leaseNanos() / 3) {
      return CompletableFuture.failedFuture(new Words.Told(unconfirmed(spot.session)));
    }
    // What has been told is looked at at once; only those that begin to listen take turns.
    return spot.mustLook() && (spot.kept || books.mayLook())
        ? look(spot)
        : CompletableFuture.completedFuture(renewed(spot));
  }

  /** A login that may not write any more is named; all else is silence. */
  private EngineException unconfirmed(Session session) {
    Throwable trouble = session.trouble();
    return trouble != null
            && words.of(trouble, session.own()) instanceof EngineException.Refused why
        ? why
        : new EngineException.Unknown(
            "a majority of " + words.store() + " has not confirmed the session lately", trouble);
  }

  private Renewal renewed(Spot spot) {
    // Set already, unless the connection was lost while it was being set.
    spot.own.arm();
    long left = spot.session.belief().left(books.now());
    return new Renewal.Renewed(Duration.ofNanos(Math.max(0, left)), spot.wanted);
  }

  /** The list is armed, so that the next look is needed only when something has happened. */
  private CompletableFuture<Renewal> look(Spot spot) {
    Bell bell = spot.session.bells().ofChildren(spot.line);
    if (!spot.kept) {
      spot.kept = true;
      patrol.add(spot);
    }
    spot.onWake(() -> {});
    spot.listensTo(bell);
    return Passing.then(
        spot.session.wire().listed(spot.line, bell),
        listed -> {
          spot.sawLine(listed.change());
          return judge(spot, Roll.of(listed.names()));
        },
        failure -> {
          bell.failed();
          spot.suspect();
          return Words.code(failure) == Code.NONODE
              ? lost(spot)
              : CompletableFuture.failedFuture(failure);
        });
  }

  private CompletableFuture<Renewal> judge(Spot spot, Roll roll) {
    Optional<Child.Revoked> word = roll.revoked(spot.place);
    if (word.isPresent()) {
      return revoked(spot, word.get());
    }
    List<Child.Seat> seats = roll.seats();
    Optional<Child.Seat> mine =
        seats.stream().filter(seat -> seat.name().equals(spot.name)).findFirst();
    if (mine.isEmpty()) {
      return lost(spot);
    }
    spot.wanted = roll.as(mine.get().shape()).wanted();
    return CompletableFuture.completedFuture(renewed(spot));
  }

  /** Somebody deleted its node: or did it go with the session, of which we have not heard yet? */
  private CompletableFuture<Renewal> lost(Spot spot) {
    return spot.session
        .beat(books::now)
        .thenCompose(
            confirmed -> {
              if (spot.session.isOver()) {
                return over(spot);
              }
              books.remove(spot);
              return gone(Renewal.Cause.UNKNOWN_TICKET, "");
            });
  }

  private CompletableFuture<Renewal> over(Spot spot) {
    books.ended(spot);
    return gone(Renewal.Cause.SESSION_OVER, "");
  }

  /** The word stays until the ticket leaves, or goes with one that is out already. */
  private CompletableFuture<Renewal> revoked(Spot spot, Child.Revoked word) {
    return spot.session
        .wire()
        .data(spot.line + "/" + word.name(), null)
        .thenCompose(
            node -> {
              String reason = new String(node.data(), StandardCharsets.UTF_8);
              spot.revoked = reason;
              return gone(Renewal.Cause.REVOKED, reason);
            });
  }

  private static CompletableFuture<Renewal> gone(Renewal.Cause cause, String reason) {
    return CompletableFuture.completedFuture(new Renewal.Gone(cause, reason));
  }
}
