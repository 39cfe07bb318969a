package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.jdbc.connection.SqlRunner;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongSupplier;

/** One session of the server and the holds on it. One thread at a time, except for breakOff. */
final class LockSession {

  private final PinnedConnection pinned;
  private final SessionLocks sql;
  private final String name;
  private final LongSupplier nanoTime;
  private final SessionHolds holds = new SessionHolds();
  private volatile long heardAt;

  /**
   * Creates a session.
   *
   * @param name its number and name, by which it is recognised
   */
  LockSession(PinnedConnection pinned, SessionLocks sql, String name, LongSupplier nanoTime) {
    this.pinned = pinned;
    this.sql = sql;
    this.name = name;
    this.nanoTime = nanoTime;
    this.heardAt = nanoTime.getAsLong();
  }

  SessionHolds holds() {
    return holds;
  }

  /** Its number and name. */
  String name() {
    return name;
  }

  /** Returns whether this is the session that replied. */
  boolean is(SessionLocks.Alive alive) {
    return alive.session().equals(name);
  }

  <T> T call(SqlRunner.Work<T> work) throws SQLException {
    T answer = pinned.call(work);
    heardAt = nanoTime.getAsLong();
    return answer;
  }

  long silentFor() {
    return nanoTime.getAsLong() - heardAt;
  }

  boolean isOver() {
    return pinned.isBroken();
  }

  /** Ends it at once; any thread may call it. The server releases its locks. */
  void breakOff() {
    pinned.breakOff();
  }

  /** Closes it, or gives the connection back as it was. */
  void close() {
    if (pinned.isCallerSupplied() && !isOver()) {
      try {
        pinned.execute(List.of(sql.freeAll()));
      } catch (SQLException e) {
        // Then it must not be used again.
        pinned.breakOff();
        return;
      }
    }
    pinned.close();
  }

  /** Returns the server's replies for each item; makes no trip for none. */
  static <T> List<Boolean> each(List<T> things, Trip<T> trip) throws SQLException {
    return things.isEmpty() ? List.of() : trip.ask(things);
  }

  /** A trip for several items. */
  interface Trip<T> {
    List<Boolean> ask(List<T> things) throws SQLException;
  }
}
