package io.holdfast.jdbc.table.layout;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Writes the changes of verbs to the tables. */
public final class RowWriter {

  private static final int MOST_PLACES = 200;

  private final TableSql sql;
  private final boolean signals;

  /**
   * Creates a writer to these tables.
   *
   * @param signals whether waiters are notified
   */
  public RowWriter(TableSql sql, boolean signals) {
    this.sql = sql;
    this.signals = signals;
  }

  /** Writes, and returns the waiters to wake once it is committed. */
  public List<WakeMessage> write(JdbcConnection connection, Collection<ResourceRow> heads)
      throws SQLException {
    raise(connection, heads);
    ticketRows(connection, heads);
    PreparedStatement update = cleared(connection, sql.updateHead);
    boolean any = false;
    for (ResourceRow head : heads) {
      if (head.changed) {
        any = true;
        set(update, head);
        update.addBatch();
      }
    }
    if (any) {
      update.executeBatch();
    }
    List<WakeMessage> calls = calls(heads);
    if (signals) {
      for (WakeMessage call : calls) {
        PreparedStatement notify = connection.prepare(sql.notify);
        notify.setString(1, call.write());
        notify.executeQuery().close();
      }
    }
    return calls;
  }

  /** Notifies the holders of a resource, at commit, that it has changed. */
  public void tellHolders(JdbcConnection connection, Resource resource) throws SQLException {
    PreparedStatement notify = connection.prepare(sql.notifyHolders);
    notify.setString(1, new WakeMessage(resource, List.of()).write());
    notify.executeQuery().close();
  }

  private static void set(PreparedStatement update, ResourceRow head) throws SQLException {
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

  private void ticketRows(JdbcConnection connection, Collection<ResourceRow> heads)
      throws SQLException {
    PreparedStatement delete = cleared(connection, sql.deleteSeat);
    PreparedStatement update = cleared(connection, sql.updateSeat);
    PreparedStatement insert = cleared(connection, sql.insertSeat);
    boolean deletes = false;
    boolean updates = false;
    boolean inserts = false;
    for (ResourceRow head : heads) {
      for (TicketRow ticketRow : head.left) {
        if (ticketRow.stored) {
          key(delete, 1, head, ticketRow);
          deletes = true;
        }
      }
      for (TicketRow ticketRow : head.ticketRows) {
        if (ticketRow.changed && ticketRow.stored) {
          state(update, ticketRow);
          key(update, 7, head, ticketRow);
          updates = true;
        } else if (!ticketRow.stored) {
          insert(insert, head, ticketRow);
          inserts = true;
        }
      }
    }
    run(delete, deletes);
    run(update, updates);
    run(insert, inserts);
  }

  /** Returns a prepared batch without leftovers of a failed one. */
  private static PreparedStatement cleared(JdbcConnection connection, String sql)
      throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    statement.clearBatch();
    return statement;
  }

  private static void insert(PreparedStatement insert, ResourceRow head, TicketRow ticketRow)
      throws SQLException {
    state(insert, ticketRow);
    insert.setLong(7, ticketRow.joined);
    insert.setString(8, ticketRow.owner);
    key(insert, 9, head, ticketRow);
  }

  private static void run(PreparedStatement statement, boolean needed) throws SQLException {
    if (needed) {
      statement.executeBatch();
    }
  }

  private static void state(PreparedStatement statement, TicketRow ticketRow) throws SQLException {
    statement.setInt(1, ticketRow.weight);
    statement.setLong(2, ticketRow.token);
    statement.setLong(3, ticketRow.lease);
    statement.setLong(4, ticketRow.expires);
    statement.setString(5, ticketRow.revoked);
    statement.setString(6, ticketRow.ticket);
  }

  private static void key(
      PreparedStatement statement, int at, ResourceRow head, TicketRow ticketRow)
      throws SQLException {
    statement.setString(at, head.resource.namespace());
    statement.setString(at + 1, head.resource.name());
    statement.setLong(at + 2, ticketRow.place);
    statement.addBatch();
  }

  /** Generations only rise, when a client has a higher one. */
  private void raise(JdbcConnection connection, Collection<ResourceRow> heads) throws SQLException {
    for (ResourceRow head : heads) {
      if (head.known > head.raisedFrom) {
        String namespace = head.resource.namespace();
        PreparedStatement insert = connection.prepare(sql.insertMeta);
        insert.setString(1, namespace);
        insert.executeUpdate();
        PreparedStatement raise = connection.prepare(sql.raise);
        raise.setInt(1, head.known);
        raise.setString(2, namespace);
        raise.setInt(3, head.known);
        raise.executeUpdate();
      }
    }
  }

  private static List<WakeMessage> calls(Collection<ResourceRow> heads) {
    List<WakeMessage> calls = new ArrayList<>();
    for (ResourceRow head : heads) {
      List<Long> places = head.roomier ? head.placesWithRoom() : List.of();
      if (head.calls || !places.isEmpty()) {
        // Too many places: all are woken.
        boolean all = head.calls || places.size() > MOST_PLACES;
        calls.add(new WakeMessage(head.resource, all ? List.of() : places));
      }
    }
    return calls;
  }
}
