package io.holdfast.jdbc.table.layout;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads resources and their lines from the tables. */
public final class RowReader {

  private final TableSql sql;

  public RowReader(TableSql sql) {
    this.sql = sql;
  }

  /**
   * Reads the resources that have a row, by name, without expired tickets.
   *
   * @param names in order
   */
  public Map<String, ResourceRow> read(
      JdbcConnection connection, String namespace, Collection<String> names, RowLocking locking)
      throws SQLException {
    Map<String, ResourceRow> heads = new TreeMap<>();
    for (List<String> some : parts(names)) {
      try (ResultSet rows = query(connection, sql.heads(rounded(some), locking), namespace, some)) {
        while (rows.next()) {
          ResourceRow head = head(namespace, rows);
          heads.put(head.resource.name(), head);
        }
      }
    }
    List<String> lines = new ArrayList<>();
    heads.forEach(
        (name, head) -> {
          if (ShapeCode.isLine(head.kind)) {
            lines.add(name);
          }
        });
    for (List<String> some : parts(lines)) {
      readSeats(connection, namespace, some, heads);
    }
    heads.values().forEach(ResourceRow::dropExpired);
    return heads;
  }

  private List<List<String>> parts(Collection<String> names) {
    List<String> all = List.copyOf(names);
    List<List<String>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += sql.namesAtOnce()) {
      parts.add(all.subList(from, Math.min(all.size(), from + sql.namesAtOnce())));
    }
    return parts;
  }

  private void readSeats(
      JdbcConnection connection,
      String namespace,
      List<String> names,
      Map<String, ResourceRow> heads)
      throws SQLException {
    try (ResultSet rows = query(connection, sql.ticketRows(rounded(names)), namespace, names)) {
      while (rows.next()) {
        ResourceRow head = heads.get(rows.getString(1));
        if (head != null) {
          head.ticketRows.add(ticketRow(rows));
        }
      }
    }
  }

  private static ResultSet query(
      JdbcConnection connection, String sql, String namespace, Collection<String> names)
      throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    statement.setString(1, namespace);
    int at = 2;
    String last = "";
    for (String name : names) {
      statement.setString(at++, name);
      last = name;
    }
    while (at <= rounded(names) + 1) {
      statement.setString(at++, last);
    }
    return statement.executeQuery();
  }

  /** Rounds up, for few different statements. */
  private static int rounded(Collection<String> names) {
    int size = 1;
    while (size < names.size()) {
      size *= 2;
    }
    return size;
  }

  private static ResourceRow head(String namespace, ResultSet row) throws SQLException {
    ResourceRow head = new ResourceRow(new Resource(namespace, row.getString(1)), row.getLong(16));
    head.kind = row.getString(2);
    head.capacity = row.getInt(3);
    head.ticket = row.getString(4);
    head.generation = row.getInt(5);
    head.counter = row.getLong(6);
    head.lease = row.getLong(7);
    head.expires = row.getLong(8);
    head.joined = row.getLong(9);
    head.owner = orEmpty(row.getString(10));
    head.wantedUntil = row.getLong(11);
    head.wantedBy = orEmpty(row.getString(12));
    head.revoked = row.getString(13);
    head.gone = DepartedColumn.read(row.getString(14), head.now);
    head.nextPlace = row.getLong(15);
    head.raisedFrom = row.getInt(17);
    // The value from the other table may be older than this row.
    head.known = Math.max(head.raisedFrom, head.generation);
    return head;
  }

  private static TicketRow ticketRow(ResultSet row) throws SQLException {
    TicketRow ticketRow =
        new TicketRow(
            row.getLong(2), row.getString(3), row.getLong(8), orEmpty(row.getString(9)), true);
    ticketRow.weight = row.getInt(4);
    ticketRow.token = row.getLong(5);
    ticketRow.lease = row.getLong(6);
    ticketRow.expires = row.getLong(7);
    ticketRow.revoked = row.getString(10);
    return ticketRow;
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }
}
