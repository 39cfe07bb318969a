package io.holdfast.jdbc.session;

import io.holdfast.jdbc.kept.LockName;
import io.holdfast.jdbc.session.SessionSql.Taken;
import io.holdfast.jdbc.session.SessionSql.Wish;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The attempts of one batch: one trip if nobody is in the way. Run by who has the turn. */
final class Taking {

  /** Those that wait poll; nothing tells them. */
  private static final Duration POLL = Duration.ofMillis(500);

  private final SessionKeeper keeper;
  private final Session session;
  private final Book book;
  private final List<Verb.Attempt> asked = new ArrayList<>();
  private final List<Wish> wishes = new ArrayList<>();
  private final List<Verb.Attempt> again = new ArrayList<>();
  private final List<Resource> toMark = new ArrayList<>();
  private final List<LockName> toFree = new ArrayList<>();

  /** Sorts them: those that the server need not be asked for are answered, or renewed. */
  Taking(SessionKeeper keeper, Session session, List<Verb.Attempt> attempts) {
    this.keeper = keeper;
    this.session = session;
    this.book = session.book();
    Set<LockName> locks = new HashSet<>();
    for (Verb.Attempt attempt : attempts) {
      Ticket ticket = attempt.ticket();
      LockName lock = LockName.of(ticket.resource());
      Book.Held other = book.of(lock);
      if (keeper.left().contains(ticket.id())) {
        attempt.fail(keeper.door().refusals().left(ticket));
      } else if (book.of(ticket) != null) {
        again.add(attempt);
      } else if (other != null || !locks.add(lock)) {
        waits(attempt, Optional.ofNullable(other).map(this::shown));
      } else {
        asked.add(attempt);
        wishes.add(new Wish(lock, LockName.wanted(ticket.resource()), ticket));
      }
    }
  }

  boolean isTrip() {
    return !asked.isEmpty();
  }

  /** What the server is asked for. */
  List<Wish> wishes() {
    return wishes;
  }

  /** Those that are in already, which are to be renewed. */
  List<Verb.Attempt> again() {
    return again;
  }

  private Standing.Holder shown(Book.Held held) {
    return new Standing.Holder(held.ticket().owner(), held.token(), keeper.lease());
  }

  /** Asks for all of it, in a trip of its own. */
  void go() {
    if (isTrip()) {
      try {
        raiseGenerations();
        tell(session.call(link -> keeper.sql().take(link, session.name(), wishes)));
      } catch (SQLException e) {
        untake(e);
      }
    }
  }

  void raiseGenerations() throws SQLException {
    for (Verb.Attempt attempt : asked) {
      Ticket ticket = attempt.ticket();
      String namespace = ticket.resource().namespace();
      if (ticket.generation() > book.generation(namespace)) {
        book.generation(
            namespace,
            session.call(
                link -> {
                  keeper.layout().raiseGeneration(link, namespace, ticket.generation());
                  return ticket.generation();
                }));
      }
    }
  }

  void tell(List<Taken> taken) {
    for (int i = 0; i < asked.size(); i++) {
      tell(asked.get(i), wishes.get(i), taken.get(i));
    }
  }

  private void tell(Verb.Attempt attempt, Wish wish, Taken taken) {
    Ticket ticket = attempt.ticket();
    if (taken.generation() > ticket.generation()) {
      attempt.fail(keeper.door().refusals().generation(ticket, taken.generation()));
    } else if (taken.counter() == 0) {
      waits(attempt, Optional.empty());
    } else {
      long token = Token.of(ticket.generation(), taken.counter());
      book.add(new Book.Held(ticket, wish.lock(), wish.wanted(), token));
      keeper.lost().remove(ticket.id());
      keeper.waiting().remove(ticket);
      boolean here = keeper.waiting().isWanted(ticket.resource());
      LockName mark = here ? null : book.unmark(ticket.resource());
      if (mark != null) {
        toFree.add(mark);
      }
      attempt.complete(new Standing.Granted(token, keeper.lease(), taken.wanted() || here));
    }
  }

  private void waits(Verb.Attempt attempt, Optional<Standing.Holder> holder) {
    Ticket ticket = attempt.ticket();
    if (ticket.waits()) {
      keeper.waiting().add(ticket);
      if (holder.isEmpty() && !book.isMarked(ticket.resource())) {
        toMark.add(ticket.resource());
      }
    }
    attempt.complete(new Standing.Waiting(0, POLL, holder));
  }

  /** A statement that fails keeps the locks that it took before: gives them back. */
  void untake(SQLException e) {
    EngineException failure = keeper.store().words().doubt(e);
    if (!session.isOver()) {
      try {
        List<LockName> locks = wishes.stream().map(Wish::lock).toList();
        List<Boolean> ignored = session.call(link -> keeper.sql().free(link, locks));
      } catch (SQLException worse) {
        e.addSuppressed(worse);
        session.breakOff();
      }
    }
    if (failure instanceof EngineException.Refused && asked.size() > 1 && !session.isOver()) {
      // One of them is to blame, and must not spoil the others.
      asked.forEach(this::alone);
    } else {
      asked.forEach(attempt -> attempt.fail(failure));
    }
  }

  private void alone(Verb.Attempt attempt) {
    Taking one = new Taking(keeper, session, List.of(attempt));
    one.go();
    one.tidy();
  }

  /** Shows that somebody waits, or waits no more; if it fails, only fairness suffers. */
  void tidy() {
    List<LockName> names = toMark.stream().map(LockName::wanted).toList();
    try {
      List<Boolean> marked =
          Session.each(names, some -> session.call(link -> keeper.sql().mark(link, some)));
      for (int i = 0; i < marked.size(); i++) {
        if (marked.get(i)) {
          book.marked(toMark.get(i), names.get(i));
        }
      }
      List<Boolean> ignored =
          Session.each(toFree, some -> session.call(link -> keeper.sql().free(link, some)));
    } catch (SQLException e) {
      // What the session has now is not known.
      session.breakOff();
    }
  }
}
