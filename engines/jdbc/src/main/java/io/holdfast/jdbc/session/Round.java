package io.holdfast.jdbc.session;

import io.holdfast.jdbc.kept.LockName;
import io.holdfast.jdbc.wire.AnotherSession;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One batch on the session: one trip for all leaves and attempts, one for all renewals. Run by who
 * has the turn.
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
    Leaving leaving = new Leaving(keeper, session, leaves);
    Taking taking = new Taking(keeper, session, attempts);
    if (leaving.isTrip() && taking.isTrip()) {
      exchange(leaving, taking);
    } else {
      leaving.go();
      taking.go();
    }
    taking.tidy();
    renew(renewals, taking.again());
  }

  private void exchange(Leaving leaving, Taking taking) {
    try {
      taking.raiseGenerations();
      SessionSql.Exchanged exchanged =
          session.call(
              link ->
                  keeper.sql().exchange(link, session.name(), leaving.names(), taking.wishes()));
      leaving.tell(exchanged.freed());
      taking.tell(exchanged.taken());
    } catch (SQLException e) {
      leaving.goAgain(e);
      taking.untake(e);
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
        throw new AnotherSession();
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
