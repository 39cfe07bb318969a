package io.holdfast.jdbc.session;

import io.holdfast.jdbc.wire.Kept;
import io.holdfast.jdbc.wire.Runner;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongSupplier;

/** One session of the server and what lives on it. For one thread at a time, but for breakOff. */
final class Session {

  private final Kept kept;
  private final SessionSql sql;
  private final String name;
  private final LongSupplier nanoTime;
  private final Book book = new Book();
  private volatile long heardAt;

  /**
   * A session.
   *
   * @param name its number and name, by which we know it again
   */
  Session(Kept kept, SessionSql sql, String name, LongSupplier nanoTime) {
    this.kept = kept;
    this.sql = sql;
    this.name = name;
    this.nanoTime = nanoTime;
    this.heardAt = nanoTime.getAsLong();
  }

  Book book() {
    return book;
  }

  /** Its number and name. */
  String name() {
    return name;
  }

  /** Whether this is the session that answered. */
  boolean is(SessionSql.Alive alive) {
    return alive.session().equals(name);
  }

  <T> T call(Runner.Work<T> work) throws SQLException {
    T answer = kept.call(work);
    heardAt = nanoTime.getAsLong();
    return answer;
  }

  long silentFor() {
    return nanoTime.getAsLong() - heardAt;
  }

  boolean isOver() {
    return kept.isBroken();
  }

  /** Ends it at once; any thread. The server gives its locks to others. */
  void breakOff() {
    kept.breakOff();
  }

  /** Ends it, or gives the connection back as it was. */
  void close() {
    if (kept.isLent() && !isOver()) {
      try {
        kept.execute(List.of(sql.freeAll()));
      } catch (SQLException e) {
        // Then nobody may use it again.
        kept.breakOff();
        return;
      }
    }
    kept.close();
  }

  /** Answers of the server for each of some things, or for none of no things without a trip. */
  static <T> List<Boolean> each(List<T> things, Trip<T> trip) throws SQLException {
    return things.isEmpty() ? List.of() : trip.ask(things);
  }

  /** A trip that is about several things. */
  interface Trip<T> {
    List<Boolean> ask(List<T> things) throws SQLException;
  }
}
