package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.OtherSessionException;
import io.holdfast.jdbc.connectionlocks.SessionLocks.Taken;
import io.holdfast.jdbc.connectionlocks.SessionLocks.Wish;
import io.holdfast.jdbc.dialect.LockName;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs one batch on the session. One trip for all leaves and attempts, one for all renewals. Run by
 * the lane that has the turn.
 */
final class SessionBatch {

  private final SessionMode mode;
  private final LockSession session;
  private final SessionHolds holds;

  SessionBatch(SessionMode mode, LockSession session) {
    this.mode = mode;
    this.session = session;
    this.holds = session.holds();
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
    Leaving leaving = new Leaving(leaves);
    Taking taking = new Taking(attempts);
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
      SessionLocks.Exchanged exchanged =
          session.call(
              connection ->
                  mode.sql()
                      .exchange(connection, session.name(), leaving.names(), taking.wishes()));
      leaving.complete(exchanged.freed());
      taking.complete(exchanged.taken());
    } catch (SQLException e) {
      leaving.goAgain(e);
      taking.untake(e);
    }
  }

  /**
   * Renews all of them, by one check that the session lives.
   *
   * @param again attempts of holders, which are renewed
   */
  private void renew(List<Verb.Renew> renewals, List<Verb.Attempt> again) {
    Map<Integer, Verb> asked = new TreeMap<>();
    List<Verb.Renew> strangers = new ArrayList<>();
    List<LockName> wanted = new ArrayList<>();
    List<Verb> all = new ArrayList<>(renewals);
    all.addAll(again);
    for (Verb verb : all) {
      SessionHolds.Held held = holds.of(verb.ticket());
      if (held != null) {
        asked.put(wanted.size(), verb);
        wanted.add(held.wanted());
      } else if (verb instanceof Verb.Renew renew) {
        if (mode.lost.contains(renew.ticket().id())) {
          renew.complete(LockMode.sessionOver());
        } else {
          strangers.add(renew);
        }
      }
    }
    if (!wanted.isEmpty() || !strangers.isEmpty()) {
      probe(asked, strangers, wanted);
    }
  }

  private void probe(Map<Integer, Verb> asked, List<Verb.Renew> strangers, List<LockName> wanted) {
    try {
      SessionLocks.Alive alive = session.call(connection -> mode.sql().probe(connection, wanted));
      if (!session.is(alive)) {
        session.breakOff();
        throw new OtherSessionException();
      }
      asked.forEach((i, verb) -> renewed(verb, alive.wanted().get(i)));
      strangers.forEach(renew -> renew.complete(LockMode.unknownTicket()));
    } catch (SQLException e) {
      silent(e, asked, strangers);
    }
  }

  private void renewed(Verb verb, boolean wantedByOthers) {
    boolean wanted = wantedByOthers || mode.waiting.hasWaiters(verb.ticket().resource());
    SessionHolds.Held held = holds.of(verb.ticket());
    if (verb instanceof Verb.Renew renew) {
      renew.complete(new Renewal.Renewed(mode.lease, wanted));
    } else if (verb instanceof Verb.Attempt attempt && held != null) {
      attempt.complete(new Standing.Granted(held.token(), mode.lease, wanted));
    }
  }

  private void silent(SQLException e, Map<Integer, Verb> asked, List<Verb.Renew> strangers) {
    EngineException failure = mode.store.errors().failure(e);
    strangers.forEach(renew -> renew.fail(failure));
    boolean over = session.isOver();
    for (Verb verb : asked.values()) {
      if (over && verb instanceof Verb.Renew renew) {
        renew.complete(LockMode.sessionOver());
      } else {
        verb.fail(failure);
      }
    }
  }

  /**
   * The leaves of one batch, with the marks that are no longer needed. Their holds are removed
   * first, so that other verbs of the batch may take the same locks.
   */
  private final class Leaving {

    private final List<LockName> names = new ArrayList<>();
    private final List<Verb.Leave> holding = new ArrayList<>();

    /** Completes the leaves of tickets that hold nothing. */
    Leaving(List<Verb.Leave> leaves) {
      List<LockName> marks = new ArrayList<>();
      mode.waiting.sweep();
      marks.addAll(holds.unmarkUnless(mode.waiting::hasWaiters));
      leaves.forEach(leave -> leave(leave, marks));
      names.addAll(marks);
    }

    private void leave(Verb.Leave leave, List<LockName> marks) {
      mode.noteLeave(leave);
      unmark(leave.ticket().resource(), marks);
      SessionHolds.Held held = holds.of(leave.ticket());
      if (held == null) {
        mode.lost.remove(leave.ticket().id());
        leave.complete(Left.NOTHING);
      } else {
        holds.remove(held);
        names.add(held.lock());
        holding.add(leave);
      }
    }

    private void unmark(Resource resource, List<LockName> marks) {
      LockName mark = mode.waiting.hasWaiters(resource) ? null : holds.unmark(resource);
      if (mark != null) {
        marks.add(mark);
      }
    }

    boolean isTrip() {
      return !names.isEmpty();
    }

    /** Returns the locks to release: those of tickets first. */
    List<LockName> names() {
      return names;
    }

    /** Releases all of them in one trip. */
    void go() {
      if (isTrip()) {
        try {
          complete(session.call(connection -> mode.sql().free(connection, names)));
        } catch (SQLException e) {
          fail(e);
        }
      }
    }

    /**
     * Releases after a failed trip: locks that it released already are not released twice, and
     * replies of another session do not count.
     */
    void goAgain(SQLException failed) {
      if (session.isOver()) {
        fail(failed);
        return;
      }
      try {
        List<Boolean> ignored = session.call(connection -> mode.sql().free(connection, names));
        holding.forEach(leave -> leave.complete(Left.HOLDING));
      } catch (SQLException e) {
        fail(e);
      }
    }

    void complete(List<Boolean> freed) {
      for (int i = 0; i < holding.size(); i++) {
        holding.get(i).complete(freed.get(i) ? Left.HOLDING : Left.NOTHING);
      }
    }

    private void fail(SQLException e) {
      // Some may be free and some not: without the session all of them are.
      session.breakOff();
      EngineException failure = mode.unknownRelease(e);
      holding.forEach(leave -> leave.fail(failure));
    }
  }

  /** The attempts of one batch: one trip if no other client is in the way. */
  private final class Taking {

    private final List<Verb.Attempt> asked = new ArrayList<>();
    private final List<Wish> wishes = new ArrayList<>();
    private final List<Verb.Attempt> again = new ArrayList<>();
    private final List<Resource> toMark = new ArrayList<>();
    private final List<LockName> toFree = new ArrayList<>();

    /** Completes the attempts that need no trip, and sorts the others. */
    Taking(List<Verb.Attempt> attempts) {
      Set<LockName> locks = new HashSet<>();
      for (Verb.Attempt attempt : attempts) {
        Ticket ticket = attempt.ticket();
        LockName lock = LockName.of(ticket.resource());
        SessionHolds.Held other = holds.of(lock);
        if (mode.departed.contains(ticket.id())) {
          attempt.fail(mode.refusals().left(ticket));
        } else if (holds.of(ticket) != null) {
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

    /** Returns the locks to ask the server for. */
    List<Wish> wishes() {
      return wishes;
    }

    /** Returns the attempts of holders, which are to be renewed. */
    List<Verb.Attempt> again() {
      return again;
    }

    private Standing.Holder shown(SessionHolds.Held held) {
      return mode.holder(held.ticket(), held.token());
    }

    /** Asks for all of them in one trip. */
    void go() {
      if (isTrip()) {
        try {
          raiseGenerations();
          complete(session.call(connection -> mode.sql().take(connection, session.name(), wishes)));
        } catch (SQLException e) {
          untake(e);
        }
      }
    }

    void raiseGenerations() throws SQLException {
      for (Verb.Attempt attempt : asked) {
        Ticket ticket = attempt.ticket();
        String namespace = ticket.resource().namespace();
        if (ticket.generation() > holds.generation(namespace)) {
          holds.generation(
              namespace,
              session.call(
                  connection -> {
                    mode.tables.raiseGeneration(connection, namespace, ticket.generation());
                    return ticket.generation();
                  }));
        }
      }
    }

    void complete(List<Taken> taken) {
      for (int i = 0; i < asked.size(); i++) {
        complete(asked.get(i), wishes.get(i), taken.get(i));
      }
    }

    private void complete(Verb.Attempt attempt, Wish wish, Taken taken) {
      Ticket ticket = attempt.ticket();
      if (taken.generation() > ticket.generation()) {
        attempt.fail(mode.refusals().generation(ticket, taken.generation()));
      } else if (taken.counter() == 0) {
        waits(attempt, Optional.empty());
      } else {
        long token = Token.of(ticket.generation(), taken.counter());
        holds.add(new SessionHolds.Held(ticket, wish.lock(), wish.wanted(), token));
        mode.lost.remove(ticket.id());
        boolean ignored = mode.waiting.remove(ticket.id());
        boolean here = mode.waiting.hasWaiters(ticket.resource());
        LockName mark = here ? null : holds.unmark(ticket.resource());
        if (mark != null) {
          toFree.add(mark);
        }
        attempt.complete(new Standing.Granted(token, mode.lease, taken.wanted() || here));
      }
    }

    private void waits(Verb.Attempt attempt, Optional<Standing.Holder> holder) {
      Ticket ticket = attempt.ticket();
      if (ticket.waits() && holder.isEmpty() && !holds.isMarked(ticket.resource())) {
        toMark.add(ticket.resource());
      }
      attempt.complete(mode.waitBehind(ticket, holder));
    }

    /** Releases the locks that a failed statement has taken. */
    void untake(SQLException e) {
      EngineException failure = mode.store.errors().doubt(e);
      if (!session.isOver()) {
        try {
          List<LockName> locks = wishes.stream().map(Wish::lock).toList();
          List<Boolean> ignored = session.call(connection -> mode.sql().free(connection, locks));
        } catch (SQLException worse) {
          e.addSuppressed(worse);
          session.breakOff();
        }
      }
      if (failure instanceof EngineException.Refused && asked.size() > 1 && !session.isOver()) {
        // One attempt is to blame, and must not fail the others.
        asked.forEach(this::alone);
      } else {
        asked.forEach(attempt -> attempt.fail(failure));
      }
    }

    private void alone(Verb.Attempt attempt) {
      Taking one = new Taking(List.of(attempt));
      one.go();
      one.tidy();
    }

    /** Marks resources as wanted, or removes marks; if that fails, only fairness suffers. */
    void tidy() {
      List<LockName> names = toMark.stream().map(LockName::wanted).toList();
      try {
        List<Boolean> marked =
            LockSession.each(
                names, some -> session.call(connection -> mode.sql().mark(connection, some)));
        for (int i = 0; i < marked.size(); i++) {
          if (marked.get(i)) {
            holds.marked(toMark.get(i), names.get(i));
          }
        }
        List<Boolean> ignored =
            LockSession.each(
                toFree, some -> session.call(connection -> mode.sql().free(connection, some)));
      } catch (SQLException e) {
        // What the session holds now is unknown.
        session.breakOff();
      }
    }
  }
}
