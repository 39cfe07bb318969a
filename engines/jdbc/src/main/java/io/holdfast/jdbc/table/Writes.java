package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Writes back what verbs have changed. */
final class Writes {

  private static final int MOST_PLACES = 200;

  private final Sql sql;
  private final boolean signals;

  /**
   * Writes to these tables.
   *
   * @param signals whether those that wait are told
   */
  Writes(Sql sql, boolean signals) {
    this.sql = sql;
    this.signals = signals;
  }

  /** Writes, and answers who is worth telling once it is committed. */
  List<Signal> write(Link link, Collection<Head> heads) throws SQLException {
    raise(link, heads);
    seats(link, heads);
    PreparedStatement update = cleared(link, sql.updateHead);
    boolean any = false;
    for (Head head : heads) {
      if (head.changed) {
        any = true;
        set(update, head);
        update.addBatch();
      }
    }
    if (any) {
      update.executeBatch();
    }
    List<Signal> calls = calls(heads);
    if (signals) {
      for (Signal call : calls) {
        PreparedStatement notify = link.prepare(sql.notify);
        notify.setString(1, call.write());
        notify.executeQuery().close();
      }
    }
    return calls;
  }

  /** Tells those that hold something of it, once it is committed, that it has changed. */
  void tellHolders(Link link, Resource resource) throws SQLException {
    PreparedStatement notify = link.prepare(sql.notifyHolders);
    notify.setString(1, new Signal(resource, List.of()).write());
    notify.executeQuery().close();
  }

  private static void set(PreparedStatement update, Head head) throws SQLException {
    update.setString(1, head.kind);
    update.setInt(2, head.capacity);
    update.setString(3, head.ticket);
    update.setInt(4, head.generation);
    update.setLong(5, head.counter);
    update.setLong(6, head.lease);
    update.setLong(7, head.expires);
    update.setLong(8, head.joined);
    update.setString(9, head.owner);
    update.setLong(10, head.wantedUntil);
    update.setString(11, head.wantedBy);
    update.setString(12, head.revoked);
    update.setString(13, head.gone.write());
    update.setLong(14, head.nextPlace);
    update.setLong(15, head.now);
    update.setString(16, head.resource.namespace());
    update.setString(17, head.resource.name());
  }

  private void seats(Link link, Collection<Head> heads) throws SQLException {
    PreparedStatement delete = cleared(link, sql.deleteSeat);
    PreparedStatement update = cleared(link, sql.updateSeat);
    PreparedStatement insert = cleared(link, sql.insertSeat);
    boolean deletes = false;
    boolean updates = false;
    boolean inserts = false;
    for (Head head : heads) {
      for (Seat seat : head.left) {
        if (seat.stored) {
          key(delete, 1, head, seat);
          deletes = true;
        }
      }
      for (Seat seat : head.seats) {
        if (seat.changed && seat.stored) {
          state(update, seat);
          key(update, 6, head, seat);
          updates = true;
        } else if (!seat.stored) {
          insert(insert, head, seat);
          inserts = true;
        }
      }
    }
    run(delete, deletes);
    run(update, updates);
    run(insert, inserts);
  }

  /** Without what a failure may have left in it. */
  private static PreparedStatement cleared(Link link, String sql) throws SQLException {
    PreparedStatement statement = link.prepare(sql);
    statement.clearBatch();
    return statement;
  }

  private static void insert(PreparedStatement insert, Head head, Seat seat) throws SQLException {
    state(insert, seat);
    insert.setString(6, seat.ticket);
    insert.setLong(7, seat.joined);
    insert.setString(8, seat.owner);
    key(insert, 9, head, seat);
  }

  private static void run(PreparedStatement statement, boolean needed) throws SQLException {
    if (needed) {
      statement.executeBatch();
    }
  }

  private static void state(PreparedStatement statement, Seat seat) throws SQLException {
    statement.setInt(1, seat.weight);
    statement.setLong(2, seat.token);
    statement.setLong(3, seat.lease);
    statement.setLong(4, seat.expires);
    statement.setString(5, seat.revoked);
  }

  private static void key(PreparedStatement statement, int at, Head head, Seat seat)
      throws SQLException {
    statement.setString(at, head.resource.namespace());
    statement.setString(at + 1, head.resource.name());
    statement.setLong(at + 2, seat.place);
    statement.addBatch();
  }

  /** Generations only rise, and only when a client brings a higher one. */
  private void raise(Link link, Collection<Head> heads) throws SQLException {
    for (Head head : heads) {
      if (head.known > head.raisedFrom) {
        String namespace = head.resource.namespace();
        PreparedStatement insert = link.prepare(sql.insertMeta);
        insert.setString(1, namespace);
        insert.executeUpdate();
        PreparedStatement raise = link.prepare(sql.raise);
        raise.setInt(1, head.known);
        raise.setString(2, namespace);
        raise.setInt(3, head.known);
        raise.executeUpdate();
      }
    }
  }

  private static List<Signal> calls(Collection<Head> heads) {
    List<Signal> calls = new ArrayList<>();
    for (Head head : heads) {
      List<Long> places = head.roomier ? LineRules.called(head) : List.of();
      if (head.calls || !places.isEmpty()) {
        // Too many to name are all.
        boolean all = head.calls || places.size() > MOST_PLACES;
        calls.add(new Signal(head.resource, all ? List.of() : places));
      }
    }
    return calls;
  }
}
