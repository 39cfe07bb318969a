package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.connection.OtherSessionException;
import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs the statements of the mode row. */
final class RowSteps {

  /** How often a row may be inserted and deleted by others before an attempt gives up. */
  private static final int TRIES = 10;

  /**
   * A row that is locked by the open transaction.
   *
   * @param generation the highest that the namespace has seen
   * @param place the session and the transaction that have it
   */
  record Locked(int generation, boolean wanted, Place place) {}

  /**
   * Where a row is locked.
   *
   * @param session its number and name
   * @param transaction empty where the database does not expose it
   */
  record Place(String session, String transaction) {

    static Place read(ResultSet row, int column) throws SQLException {
      return new Place(row.getString(column), row.getString(column + 1));
    }
  }

  private final RowSql sql;
  private final Dialect dialect;
  private final String lock;
  private final String who;

  /**
   * Steps on the rows of a store.
   *
   * @param who this client's id among the waiters
   */
  RowSteps(RowSql sql, Dialect dialect, ModeTables tables, String who) {
    this.sql = sql;
    this.dialect = dialect;
    this.lock = sql.lock(tables::generation);
    this.who = who;
  }

  /**
   * Locks the row of a resource, which is inserted if it is missing. Never waits for a lock.
   *
   * @return empty when another client has it: then no transaction is open
   * @throws SQLException in any other case; the connection may have a transaction open
   */
  Optional<Locked> lock(PinnedConnection pinned, Resource resource) throws SQLException {
    SQLException inTheWay = new SQLException("the row comes and goes", "40001");
    for (int i = 0; i < TRIES; i++) {
      try {
        pinned.begin();
        List<Locked> found =
            pinned.call(connection -> select(connection, resource, pinned.session()));
        if (!found.isEmpty()) {
          return Optional.of(found.get(0));
        }
        pinned.rollback();
        Object ignored = pinned.call(connection -> update(connection, sql.insert(), resource));
      } catch (SQLException e) {
        boolean locked = sql.isLocked(e);
        if (!locked && dialect.errorKind(e) != ErrorKind.AGAIN) {
          throw e;
        }
        pinned.rollback();
        if (locked) {
          return Optional.empty();
        }
        inTheWay = e;
      }
    }
    throw inTheWay;
  }

  /*
   * A driver that reconnects by itself after the begin would lock the row for this one statement
   * only. So the session that replies must be the one that was there before the begin.
   */
  private List<Locked> select(JdbcConnection connection, Resource resource, String session)
      throws SQLException {
    PreparedStatement statement = connection.prepare(lock);
    statement.setString(1, who);
    statement.setString(2, resource.namespace());
    statement.setString(3, resource.name());
    try (ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        return List.of();
      }
      Locked locked = new Locked(rows.getInt(1), rows.getInt(2) > 0, Place.read(rows, 3));
      if (!session.isEmpty() && !locked.place.session.equals(session)) {
        throw new OtherSessionException();
      }
      return List.of(locked);
    }
  }

  /**
   * Checks on the connection that has the row whether other clients wait.
   *
   * @throws SQLException also if the row is no longer locked, because another session or
   *     transaction replied; then the connection is broken
   */
  boolean probe(JdbcConnection connection, RowHold hold) throws SQLException {
    try (ResultSet rows = wanted(connection, sql.probe(), hold.ticket().resource())) {
      rows.next();
      if (!Place.read(rows, 2).equals(hold.place())) {
        throw new OtherSessionException();
      }
      return rows.getInt(1) > 0;
    }
  }

  /** Checks on any connection whether other clients wait. */
  boolean ask(JdbcConnection connection, Resource resource) throws SQLException {
    try (ResultSet rows = wanted(connection, sql.ask(), resource)) {
      rows.next();
      return rows.getInt(1) > 0;
    }
  }

  private ResultSet wanted(JdbcConnection connection, String text, Resource resource)
      throws SQLException {
    PreparedStatement statement = connection.prepare(text);
    statement.setString(1, who);
    statement.setString(2, resource.namespace());
    statement.setString(3, resource.name());
    return statement.executeQuery();
  }

  /**
   * Deletes the row of a hold, under its lock; a client that has seen it and finds it gone starts
   * over.
   *
   * @throws OtherSessionException when another session replied: it waited for no rival's row and
   *     deleted nothing
   */
  int deleteOwn(JdbcConnection connection, RowHold hold) throws SQLException {
    PreparedStatement statement = connection.prepare(sql.deleteOwn());
    Resource resource = hold.ticket().resource();
    statement.setString(1, hold.place().session());
    statement.setString(2, hold.place().transaction());
    statement.setString(3, resource.namespace());
    statement.setString(4, resource.name());
    int count = statement.executeUpdate();
    if (count == 0) {
      // While it is locked no other client can delete it.
      throw new OtherSessionException();
    }
    return count;
  }

  private static int update(JdbcConnection connection, String text, Resource resource)
      throws SQLException {
    PreparedStatement statement = connection.prepare(text);
    statement.setString(1, resource.namespace());
    statement.setString(2, resource.name());
    return statement.executeUpdate();
  }

  /** This client waits. */
  int want(JdbcConnection connection, Resource resource) throws SQLException {
    return wants(connection, sql.want(), resource);
  }

  /** This client no longer waits. */
  int unwant(JdbcConnection connection, Resource resource) throws SQLException {
    return wants(connection, sql.unwant(), resource);
  }

  private int wants(JdbcConnection connection, String text, Resource resource) throws SQLException {
    PreparedStatement statement = connection.prepare(text);
    statement.setString(1, who);
    statement.setString(2, resource.namespace());
    statement.setString(3, resource.name());
    return statement.executeUpdate();
  }

  /** Deletes what dead clients left behind, and no locked rows. */
  void sweep(PinnedConnection pinned) throws SQLException {
    Object ignored =
        pinned.call(connection -> connection.prepare(sql.sweepWants()).executeUpdate());
    pinned.begin();
    try {
      Object unused = pinned.call(this::deleteFree);
      pinned.commit();
    } catch (SQLException e) {
      pinned.rollback();
      throw e;
    }
  }

  private int deleteFree(JdbcConnection connection) throws SQLException {
    List<Resource> free = new ArrayList<>();
    try (ResultSet rows = connection.prepare(sql.freeRows()).executeQuery()) {
      while (rows.next()) {
        free.add(new Resource(rows.getString(1), rows.getString(2)));
      }
    }
    for (Resource resource : free) {
      update(connection, sql.delete(), resource);
    }
    return free.size();
  }
}
