package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.dialect.LockName;
import io.holdfast.jdbc.dialect.Setting;
import io.holdfast.spi.Ticket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The session locks of one kind of database. Stateless. */
sealed interface SessionLocks permits AdvisoryLocks, NamedLocks {

  /** A lock to take, which this session does not have. */
  record Wish(LockName lock, LockName wanted, Ticket ticket) {

    String namespace() {
      return ticket.resource().namespace();
    }

    int generation() {
      return ticket.generation();
    }
  }

  /**
   * The result of a wish.
   *
   * @param generation the highest that the namespace has seen
   * @param counter of the token, or 0: then another session has the lock, or the generation is too
   *     low
   * @param wanted whether a client in another session waits
   */
  record Taken(int generation, long counter, boolean wanted) {}

  /**
   * The reply of a living session.
   *
   * @param session its number and name
   * @param wanted for each of those asked about, whether a client in another session waits
   */
  record Alive(String session, List<Boolean> wanted) {}

  /**
   * Takes the free locks, each with a number that was taken after the lock; one trip.
   *
   * @param session the session that may take them: another one takes nothing
   * @throws SQLException also if another session replied
   */
  List<Taken> take(JdbcConnection connection, String session, List<Wish> wishes)
      throws SQLException;

  /** Marks resources as wanted where no mark exists; one trip. */
  List<Boolean> mark(JdbcConnection connection, List<LockName> names) throws SQLException;

  /** Releases; returns for each whether this session had it; one trip. */
  List<Boolean> free(JdbcConnection connection, List<LockName> names) throws SQLException;

  /** The results of {@link #free} and {@link #take}. */
  record Exchanged(List<Boolean> freed, List<Taken> taken) {}

  /** Releases, then takes; in one trip where the driver can. */
  default Exchanged exchange(
      JdbcConnection connection, String session, List<LockName> names, List<Wish> wishes)
      throws SQLException {
    List<Boolean> freed = free(connection, names);
    return new Exchanged(freed, take(connection, session, wishes));
  }

  /** Checks that the session lives and which locks are wanted; one trip. */
  Alive probe(JdbcConnection connection, List<LockName> wanted) throws SQLException;

  /** Returns the settings by which the server ends a session that is silent for a lease. */
  List<String> settings(Duration lease);

  /** Returns the settings that those statements change. */
  List<Setting> changes();

  /** Releases all locks, on a connection that is given back. */
  String freeAll();
}
