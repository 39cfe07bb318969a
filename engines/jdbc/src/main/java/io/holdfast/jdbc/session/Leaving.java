package io.holdfast.jdbc.session;

import io.holdfast.jdbc.kept.LockName;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The leaves of one batch, with the marks that nobody needs any more. They are out of the book from
 * the beginning, so that others of the batch may ask for what they had. Run by who has the turn.
 */
final class Leaving {

  private final SessionKeeper keeper;
  private final Session session;
  private final List<LockName> names = new ArrayList<>();
  private final List<Verb.Leave> holding = new ArrayList<>();

  /** Answers those that have nothing. */
  Leaving(SessionKeeper keeper, Session session, List<Verb.Leave> leaves) {
    this.keeper = keeper;
    this.session = session;
    List<LockName> marks = new ArrayList<>();
    keeper.waiting().sweep().forEach(resource -> unmark(resource, marks));
    leaves.forEach(leave -> leave(leave, marks));
    names.addAll(marks);
  }

  private void leave(Verb.Leave leave, List<LockName> marks) {
    if (leave.inDoubt()) {
      keeper.left().add(leave.ticket().id());
    }
    keeper.waiting().remove(leave.ticket());
    unmark(leave.ticket().resource(), marks);
    Book.Held held = session.book().of(leave.ticket());
    if (held == null) {
      keeper.lost().remove(leave.ticket().id());
      leave.complete(Left.NOTHING);
    } else {
      session.book().remove(held);
      names.add(held.lock());
      holding.add(leave);
    }
  }

  private void unmark(Resource resource, List<LockName> marks) {
    LockName mark = keeper.waiting().isWanted(resource) ? null : session.book().unmark(resource);
    if (mark != null) {
      marks.add(mark);
    }
  }

  boolean isTrip() {
    return !names.isEmpty();
  }

  /** What the server is to give back: those of the tickets first. */
  List<LockName> names() {
    return names;
  }

  /** Gives all of it back, in a trip of its own. */
  void go() {
    if (isTrip()) {
      try {
        tell(session.call(link -> keeper.sql().free(link, names)));
      } catch (SQLException e) {
        fail(e);
      }
    }
  }

  /**
   * After a trip that failed: what it gave back already is not given back twice, and what another
   * session answers is not about us.
   */
  void goAgain(SQLException failed) {
    if (session.isOver()) {
      fail(failed);
      return;
    }
    try {
      List<Boolean> ignored = session.call(link -> keeper.sql().free(link, names));
      holding.forEach(leave -> leave.complete(Left.HOLDING));
    } catch (SQLException e) {
      fail(e);
    }
  }

  void tell(List<Boolean> freed) {
    for (int i = 0; i < holding.size(); i++) {
      holding.get(i).complete(freed.get(i) ? Left.HOLDING : Left.NOTHING);
    }
  }

  private void fail(SQLException e) {
    // Some may be free and some not: with the session all of them are.
    session.breakOff();
    EngineException failure =
        new EngineException.Unknown(
            "no answer from " + keeper.store().words().address() + ": " + e.getMessage(), e);
    holding.forEach(leave -> leave.fail(failure));
  }
}
