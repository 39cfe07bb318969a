package io.holdfast.jdbc.session;

import io.holdfast.jdbc.dialect.Setting;
import io.holdfast.jdbc.kept.LockName;
import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Ticket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The locks that belong to a session of the server, in the words of one database. Stateless. */
sealed interface SessionSql permits PgLocks, NamedLocks {

  /** What is asked for: a lock that this session does not have. */
  record Wish(LockName lock, LockName wanted, Ticket ticket) {

    String namespace() {
      return ticket.resource().namespace();
    }

    int generation() {
      return ticket.generation();
    }
  }

  /**
   * What became of it.
   *
   * @param generation the highest that the namespace has seen
   * @param counter of the token, or 0: then somebody else has the lock, or the generation is old
   * @param wanted whether somebody in another session waits
   */
  record Taken(int generation, long counter, boolean wanted) {}

  /**
   * What a living session says.
   *
   * @param session its number and name
   * @param wanted for each of those asked about, whether somebody in another session waits
   */
  record Alive(String session, List<Boolean> wanted) {}

  /**
   * Takes what is free, each with a number that was taken after the lock; one trip.
   *
   * @param session the one that may take it: another one takes nothing
   * @throws SQLException also if another session answered
   */
  List<Taken> take(Link link, String session, List<Wish> wishes) throws SQLException;

  /** Takes what is free, to be seen there; one trip. */
  List<Boolean> mark(Link link, List<LockName> names) throws SQLException;

  /** Gives back; answers for each whether this session had it; one trip. */
  List<Boolean> free(Link link, List<LockName> names) throws SQLException;

  /** What {@link #free} and {@link #take} answered. */
  record Exchanged(List<Boolean> freed, List<Taken> taken) {}

  /** Gives back, then takes; where the driver can, in one trip. */
  default Exchanged exchange(Link link, String session, List<LockName> names, List<Wish> wishes)
      throws SQLException {
    List<Boolean> freed = free(link, names);
    return new Exchanged(freed, take(link, session, wishes));
  }

  /** Asks the session whether it lives, and who is wanted; one trip. */
  Alive probe(Link link, List<LockName> wanted) throws SQLException;

  /** Statements that let the server end the session when it hears nothing of us for a lease. */
  List<String> settings(Duration lease);

  /** What those statements change. */
  List<Setting> changes();

  /** Gives all locks back, on a connection that is given back. */
  String freeAll();
}
