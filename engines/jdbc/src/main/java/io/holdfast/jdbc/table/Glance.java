package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
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
 * Looks at resources that somebody waits for, and says who is worth telling to ask again. Locks and
 * writes nothing. For one thread.
 */
public final class Glance {

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
   * @param over there is nothing to wait for any more
   * @param counter of its last token
   * @param first that waits in the line
   * @param weight of all that are in the line and granted
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
  private final Rows rows;
  private Map<Resource, Seen> before = new HashMap<>();
  private boolean unsure;

  /** A glance at these tables. */
  public Glance(Sql sql) {
    this.look = sql.fill(LOOK);
    this.rows = new Rows(sql);
  }

  /**
   * Whether a lock was free at the last look that had not been before. A busy client leaves it for
   * a moment between two grants, which is no reason to get in its way: it is worth telling if
   * nobody has taken it at the next look, which should be soon.
   */
  public boolean isUnsure() {
    return unsure;
  }

  /**
   * Who is worth telling: all that wait for a lock without an order which is free and was at the
   * last look, or for a run that is done; and those for whom there is room in a line that is not as
   * it was.
   */
  public List<Signal> at(Link link, Collection<Resource> resources) throws SQLException {
    List<Signal> signals = new ArrayList<>();
    Map<Resource, Seen> now = new HashMap<>();
    unsure = false;
    for (Resource resource : resources) {
      Seen seen = look(link, resource);
      now.put(resource, seen);
      boolean same = seen.equals(before.get(resource));
      if (seen.line && !same) {
        places(link, resource).forEach(place -> signals.add(new Signal(resource, List.of(place))));
      } else if (seen.over || (seen.free && same)) {
        signals.add(new Signal(resource, List.of()));
      }
      unsure |= seen.free && !same;
    }
    before = now;
    return signals;
  }

  private Seen look(Link link, Resource resource) throws SQLException {
    PreparedStatement statement = link.prepare(look);
    statement.setString(1, resource.namespace());
    statement.setString(2, resource.name());
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? seen(row) : GONE;
    }
  }

  private static Seen seen(ResultSet row) throws SQLException {
    String kind = row.getString(1);
    boolean line = Letters.isLine(kind);
    return new Seen(
        line,
        kind.equals(Letters.DONE),
        !line && row.getBoolean(2),
        row.getLong(3),
        row.getLong(4),
        row.getInt(5),
        row.getInt(6));
  }

  private List<Long> places(Link link, Resource resource) throws SQLException {
    Head head =
        rows.read(link, resource.namespace(), List.of(resource.name()), Locking.NONE)
            .get(resource.name());
    return head == null ? List.of() : LineRules.called(head);
  }
}
