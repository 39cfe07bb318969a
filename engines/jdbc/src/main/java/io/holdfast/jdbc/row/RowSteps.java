package io.holdfast.jdbc.row;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.Trouble;
import io.holdfast.jdbc.kept.Layout;
import io.holdfast.jdbc.wire.AnotherSession;
import io.holdfast.jdbc.wire.Kept;
import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is done to rows. */
final class RowSteps {

  /** A row is made by one and taken away by another only so often in a row. */
  private static final int TRIES = 10;

  /**
   * The row is locked, by the transaction that is open now.
   *
   * @param generation the highest that the namespace has seen
   * @param place the session and the transaction that have it
   */
  record Locked(int generation, boolean wanted, Place place) {}

  /**
   * Where a row is locked.
   *
   * @param session its number and name
   * @param transaction empty where the database does not tell
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
   * @param who this client, among those that wait
   */
  RowSteps(RowSql sql, Dialect dialect, Layout layout, String who) {
    this.sql = sql;
    this.dialect = dialect;
    this.lock = sql.lock(layout::generation);
    this.who = who;
  }

  /**
   * Locks the row of a resource, which it makes if there is none. Nothing waits for anybody.
   *
   * @return empty when somebody else has it: then no transaction is open
   * @throws SQLException in any other case; the connection may have a transaction open
   */
  Optional<Locked> lock(Kept kept, Resource resource) throws SQLException {
    SQLException inTheWay = new SQLException("the row comes and goes", "40001");
    for (int i = 0; i < TRIES; i++) {
      try {
        kept.begin();
        List<Locked> found = kept.call(link -> select(link, resource, kept.session()));
        if (!found.isEmpty()) {
          return Optional.of(found.get(0));
        }
        kept.rollback();
        Object ignored = kept.call(link -> update(link, sql.insert(), resource));
      } catch (SQLException e) {
        boolean locked = sql.isLocked(e);
        if (!locked && dialect.trouble(e) != Trouble.AGAIN) {
          throw e;
        }
        kept.rollback();
        if (locked) {
          return Optional.empty();
        }
        inTheWay = e;
      }
    }
    throw inTheWay;
  }

  /*
   * A driver that connects again by itself, between the begin and this, would lock the row for this
   * one statement. So what answers must be the session that was there before the begin.
   */
  private List<Locked> select(Link link, Resource resource, String session) throws SQLException {
    PreparedStatement statement = link.prepare(lock);
    statement.setString(1, who);
    statement.setString(2, resource.namespace());
    statement.setString(3, resource.name());
    try (ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        return List.of();
      }
      Locked locked = new Locked(rows.getInt(1), rows.getInt(2) > 0, Place.read(rows, 3));
      if (!session.isEmpty() && !locked.place.session.equals(session)) {
        throw new AnotherSession();
      }
      return List.of(locked);
    }
  }

  /**
   * Asks on the connection that has the row whether others wait.
   *
   * @throws SQLException also if the row is not locked any more, as another session or transaction
   *     answered; then the connection is broken
   */
  boolean probe(Link link, RowHold hold) throws SQLException {
    try (ResultSet rows = wanted(link, sql.probe(), hold.ticket().resource())) {
      rows.next();
      if (!Place.read(rows, 2).equals(hold.place())) {
        throw new AnotherSession();
      }
      return rows.getInt(1) > 0;
    }
  }

  /** Asks on any connection whether others wait. */
  boolean ask(Link link, Resource resource) throws SQLException {
    try (ResultSet rows = wanted(link, sql.ask(), resource)) {
      rows.next();
      return rows.getInt(1) > 0;
    }
  }

  private ResultSet wanted(Link link, String text, Resource resource) throws SQLException {
    PreparedStatement statement = link.prepare(text);
    statement.setString(1, who);
    statement.setString(2, resource.namespace());
    statement.setString(3, resource.name());
    return statement.executeQuery();
  }

  /**
   * Takes the row of a hold away, under its lock; who has seen it and finds it gone starts over.
   *
   * @throws AnotherSession when another session answered: it waits for no rival's row, and has
   *     taken nothing away
   */
  int deleteOwn(Link link, RowHold hold) throws SQLException {
    PreparedStatement statement = link.prepare(sql.deleteOwn());
    Resource resource = hold.ticket().resource();
    statement.setString(1, hold.place().session());
    statement.setString(2, hold.place().transaction());
    statement.setString(3, resource.namespace());
    statement.setString(4, resource.name());
    int count = statement.executeUpdate();
    if (count == 0) {
      // While it is locked nobody else can have deleted it.
      throw new AnotherSession();
    }
    return count;
  }

  private static int update(Link link, String text, Resource resource) throws SQLException {
    PreparedStatement statement = link.prepare(text);
    statement.setString(1, resource.namespace());
    statement.setString(2, resource.name());
    return statement.executeUpdate();
  }

  /** This client waits. */
  int want(Link link, Resource resource) throws SQLException {
    return wants(link, sql.want(), resource);
  }

  /** This client waits no more. */
  int unwant(Link link, Resource resource) throws SQLException {
    return wants(link, sql.unwant(), resource);
  }

  private int wants(Link link, String text, Resource resource) throws SQLException {
    PreparedStatement statement = link.prepare(text);
    statement.setString(1, who);
    statement.setString(2, resource.namespace());
    statement.setString(3, resource.name());
    return statement.executeUpdate();
  }

  /** Takes away what dead clients left behind; leaves alone what somebody has locked. */
  void sweep(Kept kept) throws SQLException {
    Object ignored = kept.call(link -> link.prepare(sql.sweepWants()).executeUpdate());
    kept.begin();
    try {
      Object unused = kept.call(this::deleteFree);
      kept.commit();
    } catch (SQLException e) {
      kept.rollback();
      throw e;
    }
  }

  private int deleteFree(Link link) throws SQLException {
    List<Resource> free = new ArrayList<>();
    try (ResultSet rows = link.prepare(sql.freeRows()).executeQuery()) {
      while (rows.next()) {
        free.add(new Resource(rows.getString(1), rows.getString(2)));
      }
    }
    for (Resource resource : free) {
      update(link, sql.delete(), resource);
    }
    return free.size();
  }
}
