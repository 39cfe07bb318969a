package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.table.layout.LeaseEnd;
import io.holdfast.jdbc.table.layout.Micros;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The fast path on H2: a merge. It locks each row and then reads its newest version. */
final class H2FastPath extends ValueRowsFastPath {

  /*
   * It runs as an update, and what it wrote comes back as generated keys. A select from the final
   * table of a merge could compute the result; but H2 treats that as a query, and a query that
   * fails in the middle of its rows keeps what it has written, while we would report that nothing
   * was done.
   *
   * The time is read once, when the statement begins, as on PostgreSQL. It comes back in
   * touched_us, because only columns come back.
   */

  private static final String[] WRITTEN = {
    "ns", "name", "counter", "wanted_us", "expires_us", "touched_us"
  };

  /** The end that the holder may rely on: see {@link LeaseEnd}. */
  private static final String BELIEVED = "least(l.expires_us, {now} + l.lease_us)";

  /**
   * A higher generation must be written as well, and a lower one refused: both take the other path.
   */
  private static final String KNOWN =
      "coalesce((select m.generation from {meta} m where m.ns = a.space), 0) = a.known";

  private static final String MINE = "l.ticket = a.ticket and l.expires_us > {now}";

  /** Where the database ignores case, the row that is found may be that of another name. */
  private static final String SAME = "stringtoutf8(l.name) = stringtoutf8(a.name)";

  private static final String ATTEMPT =
      """
      merge into {lock} l using (values {rows}) a (space, known, ns, name, kind, ticket,
          generation, lease, term, owner) on l.ns = a.ns and l.name = a.name
      when matched and {known} and {same} and l.gone is null and l.generation <= a.generation
         and l.kind in ('-', 'm', 'o', 'd')
         and (l.wanted_us <= {now} or l.kind = a.kind)
         and (l.ticket is null or l.expires_us <= {now}
           or l.ticket = a.ticket and l.kind = a.kind and l.revoked is null)
       then update set
          counter = case when {mine} then l.counter else greatest(l.counter + 1, {now} / 64) end,
          joined_us = case when {mine} then l.joined_us else {now} end,
          ticket = a.ticket, kind = a.kind, capacity = 1, generation = a.generation,
          lease_us = case when {mine} and {believed} > {now} + a.term
            then l.lease_us else a.lease end,
          expires_us = case when {mine}
            then greatest({believed}, {now} + a.term) else {now} + a.term end,
          owner = a.owner, revoked = null,
          wanted_us = case when l.wanted = a.ticket then 0 else l.wanted_us end,
          touched_us = {now}
      when not matched and {known} then insert (ns, name, kind, capacity, ticket, generation,
          counter, lease_us, expires_us, joined_us, owner, wanted_us, wanted, next_place,
          touched_us)
        values (a.ns, a.name, a.kind, 1, a.ticket, a.generation, {now} / 64, a.lease,
          {now} + a.term, {now}, a.owner, 0, '', 0, {now})""";

  private static final String RENEW =
      """
      merge into {lock} l using (values {rows}) a (ns, name, ticket, kind, lease)
        on l.ns = a.ns and l.name = a.name
      when matched and {mine} and l.kind = a.kind and l.revoked is null
       then update set expires_us = greatest({believed}, {now} + a.lease),
          lease_us = case when {believed} > {now} + a.lease then l.lease_us else a.lease end,
          touched_us = {now}""";

  private static final String LEAVE =
      """
      merge into {lock} l using (values {rows}) a (ns, name, ticket, kind)
        on l.ns = a.ns and l.name = a.name
      when matched and {mine} and l.kind = a.kind
       then update set ticket = null, expires_us = 0, revoked = null, wanted_us = 0, wanted = '',
          touched_us = {now}""";

  private final TableSql sql;

  /** Statements on these tables. */
  H2FastPath(TableSql sql) {
    this.sql = sql;
  }

  /** Casts every value, because H2 cannot infer the types. */
  private String statement(String text, int rows, String... types) {
    List<String> values = new ArrayList<>();
    for (String type : types) {
      values.add("cast(? as " + type + ")");
    }
    String row = "(" + String.join(", ", values) + ")";
    return sql.fill(
        text.replace("{rows}", row + (", " + row).repeat(rows - 1))
            .replace("{known}", KNOWN)
            .replace("{same}", SAME)
            .replace("{mine}", MINE)
            .replace("{believed}", BELIEVED));
  }

  @Override
  String attemptSql(int rows) {
    return statement(
        ATTEMPT, rows, "varchar", "integer", "varchar", "varchar", "varchar", "varchar", "integer",
        "bigint", "bigint", "varchar");
  }

  @Override
  String renewSql(int rows) {
    return statement(RENEW, rows, "varchar", "varchar", "varchar", "varchar", "bigint");
  }

  @Override
  String leaveSql(int rows) {
    return statement(LEAVE, rows, "varchar", "varchar", "varchar", "varchar");
  }

  @Override
  PreparedStatement prepare(JdbcConnection connection, String text) throws SQLException {
    return connection.prepare(text, WRITTEN);
  }

  @Override
  List<Written> execute(PreparedStatement statement) throws SQLException {
    List<Written> written = new ArrayList<>();
    if (statement.executeUpdate() == 0) {
      return written;
    }
    try (ResultSet rows = statement.getGeneratedKeys()) {
      while (rows.next()) {
        long now = rows.getLong(6);
        written.add(
            new Written(
                new Resource(rows.getString(1), rows.getString(2)),
                rows.getLong(3),
                rows.getLong(4) > now,
                Micros.time(rows.getLong(5) - now)));
      }
    }
    return written;
  }
}
