package io.holdfast.jdbc.table.signals;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.table.layout.ResourceRow;
import io.holdfast.jdbc.table.layout.RowLocking;
import io.holdfast.jdbc.table.layout.RowReader;
import io.holdfast.jdbc.table.layout.ShapeCode;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.jdbc.table.layout.WakeMessage;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Polls resources that have waiters and determines which waiters to wake. Locks and writes nothing.
 * Not thread-safe.
 */
public final class WaiterPoll {

  private static final String LOOK =
      """
      select l.kind, l.ticket is null or l.expires_us <= {now}, l.counter,
          (select min(t.place) from {ticket} t where t.ns = l.ns and t.name = l.name
            and t.token = 0 and t.expires_us > {now}),
          (select sum(t.weight) from {ticket} t where t.ns = l.ns and t.name = l.name
            and t.token > 0 and t.expires_us > {now}), l.capacity
        from {lock} l where l.ns = ? and l.name = ?""";

  /**
   * A resource as it was.
   *
   * @param over the run is done, so there is nothing to wait for
   * @param counter of its last token
   * @param first the place of the first waiter in the line
   * @param weight of all granted tickets of the line
   */
  private record Seen(
      boolean line,
      boolean over,
      boolean free,
      long counter,
      long first,
      int weight,
      int capacity) {}

  private static final Seen GONE = new Seen(false, true, false, 0, 0, 0, 0);

  private final String look;
  private final RowReader rows;
  private Map<Resource, Seen> before = new HashMap<>();
  private boolean unsure;

  /** Polls these tables. */
  public WaiterPoll(TableSql sql) {
    this.look = sql.fill(LOOK);
    this.rows = new RowReader(sql);
  }

  /**
   * Returns whether a lock became free at the last poll. A busy client leaves it for a moment
   * between two grants, which is no reason to wake other waiters: they are woken if it is still
   * free at the next poll, which should be soon.
   */
  public boolean isUnsure() {
    return unsure;
  }

  /**
   * Returns the waiters to wake: all waiters of an unordered lock that is free and was free at the
   * last look, or of a run that is done; and the waiters for whom there is room in a line that has
   * changed.
   */
  public List<WakeMessage> at(JdbcConnection connection, Collection<Resource> resources)
      throws SQLException {
    List<WakeMessage> signals = new ArrayList<>();
    Map<Resource, Seen> now = new HashMap<>();
    unsure = false;
    for (Resource resource : resources) {
      Seen seen = look(connection, resource);
      now.put(resource, seen);
      boolean same = seen.equals(before.get(resource));
      if (seen.line && !same) {
        places(connection, resource)
            .forEach(place -> signals.add(new WakeMessage(resource, List.of(place))));
      } else if (seen.over || (seen.free && same)) {
        signals.add(new WakeMessage(resource, List.of()));
      }
      unsure |= seen.free && !same;
    }
    before = now;
    return signals;
  }

  private Seen look(JdbcConnection connection, Resource resource) throws SQLException {
    PreparedStatement statement = connection.prepare(look);
    statement.setString(1, resource.namespace());
    statement.setString(2, resource.name());
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? seen(row) : GONE;
    }
  }

  private static Seen seen(ResultSet row) throws SQLException {
    String kind = row.getString(1);
    boolean line = ShapeCode.isLine(kind);
    return new Seen(
        line,
        kind.equals(ShapeCode.DONE),
        !line && row.getBoolean(2),
        row.getLong(3),
        row.getLong(4),
        row.getInt(5),
        row.getInt(6));
  }

  private List<Long> places(JdbcConnection connection, Resource resource) throws SQLException {
    ResourceRow head =
        rows.read(connection, resource.namespace(), List.of(resource.name()), RowLocking.NONE)
            .get(resource.name());
    return head == null ? List.of() : head.placesWithRoom();
  }
}
