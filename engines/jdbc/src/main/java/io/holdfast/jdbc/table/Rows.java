package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads resources from the tables. */
final class Rows {

  private final Sql sql;

  Rows(Sql sql) {
    this.sql = sql;
  }

  /**
   * Reads those that have a row, by name, without what has expired.
   *
   * @param names in order
   */
  Map<String, Head> read(Link link, String namespace, Collection<String> names, Locking locking)
      throws SQLException {
    Map<String, Head> heads = new TreeMap<>();
    for (List<String> some : parts(names)) {
      try (ResultSet rows = query(link, sql.heads(rounded(some), locking), namespace, some)) {
        while (rows.next()) {
          Head head = head(namespace, rows);
          heads.put(head.resource.name(), head);
        }
      }
    }
    List<String> lines = new ArrayList<>();
    heads.forEach(
        (name, head) -> {
          if (Letters.isLine(head.kind)) {
            lines.add(name);
          }
        });
    for (List<String> some : parts(lines)) {
      readSeats(link, namespace, some, heads);
    }
    heads.values().forEach(Head::dropExpired);
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

  private void readSeats(Link link, String namespace, List<String> names, Map<String, Head> heads)
      throws SQLException {
    try (ResultSet rows = query(link, sql.seats(rounded(names)), namespace, names)) {
      while (rows.next()) {
        Head head = heads.get(rows.getString(1));
        if (head != null) {
          head.seats.add(seat(rows));
        }
      }
    }
  }

  private static ResultSet query(Link link, String sql, String namespace, Collection<String> names)
      throws SQLException {
    PreparedStatement statement = link.prepare(sql);
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

  /** Few different statements for batches of all sizes. */
  private static int rounded(Collection<String> names) {
    int size = 1;
    while (size < names.size()) {
      size *= 2;
    }
    return size;
  }

  private static Head head(String namespace, ResultSet row) throws SQLException {
    Head head = new Head(new Resource(namespace, row.getString(1)), row.getLong(16));
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
    head.gone = Gone.read(row.getString(14), head.now);
    head.nextPlace = row.getLong(15);
    head.raisedFrom = row.getInt(17);
    // What is read of another table may be older than this row.
    head.known = Math.max(head.raisedFrom, head.generation);
    return head;
  }

  private static Seat seat(ResultSet row) throws SQLException {
    Seat seat =
        new Seat(row.getLong(2), row.getString(3), row.getLong(8), orEmpty(row.getString(9)), true);
    seat.weight = row.getInt(4);
    seat.token = row.getLong(5);
    seat.lease = row.getLong(6);
    seat.expires = row.getLong(7);
    seat.revoked = row.getString(10);
    return seat;
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }
}
