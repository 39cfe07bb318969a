package io.holdfast.jdbc.session;

import io.holdfast.jdbc.kept.LockName;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One batch on the session: one trip for all leaves, one for all attempts, one for all renewals.
 * Run by who has the turn.
 */
final class Round {

  private final SessionKeeper keeper;
  private final Session session;
  private final Book book;

  Round(SessionKeeper keeper, Session session) {
    this.keeper = keeper;
    this.session = session;
    this.book = session.book();
  }

  void run(List<Verb> verbs) {
    List<Verb.Leave> leaves = new ArrayList<>();
    List<Verb.Attempt> attempts = new ArrayList<>();
    List<Verb.Renew> renewals = new ArrayList<>();
    for (Verb verb : verbs) {
      if (verb instanceof Verb.Leave leave) {
        leaves.add(leave);
      } else if (verb instanceof Verb.Attempt attempt) {
        attempts.add(attempt);
      } else if (verb instanceof Verb.Renew renew) {
        renewals.add(renew);
      }
    }
    leave(leaves);
    List<Verb.Attempt> again = new Taking(keeper, session).run(attempts);
    renew(renewals, again);
  }

  private void leave(List<Verb.Leave> leaves) {
    List<LockName> names = new ArrayList<>();
    List<Verb.Leave> holding = new ArrayList<>();
    List<LockName> marks = new ArrayList<>();
    keeper.waiting().sweep().forEach(resource -> unmark(resource, marks));
    for (Verb.Leave leave : leaves) {
      if (leave.inDoubt()) {
        keeper.left().add(leave.ticket().id());
      }
      keeper.waiting().remove(leave.ticket());
      unmark(leave.ticket().resource(), marks);
      Book.Held held = book.of(leave.ticket());
      if (held == null) {
        keeper.lost().remove(leave.ticket().id());
        leave.complete(Left.NOTHING);
      } else {
        book.remove(held);
        names.add(held.lock());
        holding.add(leave);
      }
    }
    names.addAll(marks);
    free(names, holding);
  }

  private void unmark(Resource resource, List<LockName> marks) {
    LockName mark = keeper.waiting().isWanted(resource) ? null : book.unmark(resource);
    if (mark != null) {
      marks.add(mark);
    }
  }

  private void free(List<LockName> names, List<Verb.Leave> holding) {
    try {
      List<Boolean> freed =
          Session.each(names, some -> session.call(link -> keeper.sql().free(link, some)));
      for (int i = 0; i < holding.size(); i++) {
        holding.get(i).complete(freed.get(i) ? Left.HOLDING : Left.NOTHING);
      }
    } catch (SQLException e) {
      // Some may be free and some not: with the session all of them are.
      session.breakOff();
      EngineException failure =
          new EngineException.Unknown(
              "no answer from " + keeper.store().words().address() + ": " + e.getMessage(), e);
      holding.forEach(leave -> leave.fail(failure));
    }
  }

  /**
   * Asks the session, for all of them, whether it lives.
   *
   * @param again attempts of tickets that are in: they are renewed
   */
  private void renew(List<Verb.Renew> renewals, List<Verb.Attempt> again) {
    Map<Integer, Verb> asked = new TreeMap<>();
    List<Verb.Renew> strangers = new ArrayList<>();
    List<LockName> wanted = new ArrayList<>();
    List<Verb> all = new ArrayList<>(renewals);
    all.addAll(again);
    for (Verb verb : all) {
      Book.Held held = book.of(verb.ticket());
      if (held != null) {
        asked.put(wanted.size(), verb);
        wanted.add(held.wanted());
      } else if (verb instanceof Verb.Renew renew && !isLost(renew)) {
        strangers.add(renew);
      }
    }
    if (!wanted.isEmpty() || !strangers.isEmpty()) {
      probe(asked, strangers, wanted);
    }
  }

  private boolean isLost(Verb.Renew renew) {
    boolean lost = keeper.lost().contains(renew.ticket().id());
    if (lost) {
      renew.complete(new Renewal.Gone(Renewal.Cause.SESSION_OVER, ""));
    }
    return lost;
  }

  private void probe(Map<Integer, Verb> asked, List<Verb.Renew> strangers, List<LockName> wanted) {
    try {
      SessionSql.Alive alive = session.call(link -> keeper.sql().probe(link, wanted));
      if (!session.is(alive)) {
        session.breakOff();
        throw new SQLException("another session answered", "08003");
      }
      asked.forEach((i, verb) -> renewed(verb, alive.wanted().get(i)));
      strangers.forEach(
          renew -> renew.complete(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "")));
    } catch (SQLException e) {
      silent(e, asked, strangers);
    }
  }

  private void renewed(Verb verb, boolean wantedByOthers) {
    boolean wanted = wantedByOthers || keeper.waiting().isWanted(verb.ticket().resource());
    Book.Held held = book.of(verb.ticket());
    if (verb instanceof Verb.Renew renew) {
      renew.complete(new Renewal.Renewed(keeper.lease(), wanted));
    } else if (verb instanceof Verb.Attempt attempt && held != null) {
      attempt.complete(new Standing.Granted(held.token(), keeper.lease(), wanted));
    }
  }

  private void silent(SQLException e, Map<Integer, Verb> asked, List<Verb.Renew> strangers) {
    EngineException failure = keeper.store().words().failure(e);
    strangers.forEach(renew -> renew.fail(failure));
    boolean over = session.isOver();
    for (Verb verb : asked.values()) {
      if (over && verb instanceof Verb.Renew renew) {
        renew.complete(new Renewal.Gone(Renewal.Cause.SESSION_OVER, ""));
      } else {
        verb.fail(failure);
      }
    }
  }
}
