package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Resource;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The quick way on H2: a merge, which locks each row and then looks at its newest version. */
public final class H2Texts implements RowsQuick.Texts {

  /*
   * It is run as an update, and what it wrote comes back with the answer, as keys that were
   * generated. A select from the final table of a merge could compute what is answered here; but
   * H2 takes that for a query, and a query that fails in the middle of its rows keeps what it has
   * written, while we would say that nothing was done.
   *
   * The time is read once, when the statement begins, as on PostgreSQL. It is in what was touched,
   * as only columns come back.
   */

  private static final String[] WRITTEN = {
    "ns", "name", "counter", "wanted_us", "expires_us", "touched_us"
  };

  /** The end that the holder may believe in: {@link Term}. */
  private static final String BELIEVED = "least(l.expires_us, {now} + l.lease_us)";

  /** A generation that is higher has to be written as well, and a lower one is to be refused. */
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

  private final Sql sql;

  /** Statements on these tables. */
  public H2Texts(Sql sql) {
    this.sql = sql;
  }

  /** Says the type of every value: it cannot tell from where they are used. */
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
  public String attempts(int rows) {
    return statement(
        ATTEMPT, rows, "varchar", "integer", "varchar", "varchar", "varchar", "varchar", "integer",
        "bigint", "bigint", "varchar");
  }

  @Override
  public String renewals(int rows) {
    return statement(RENEW, rows, "varchar", "varchar", "varchar", "varchar", "bigint");
  }

  @Override
  public String leaves(int rows) {
    return statement(LEAVE, rows, "varchar", "varchar", "varchar", "varchar");
  }

  @Override
  public PreparedStatement prepare(Link link, String text) throws SQLException {
    return link.prepare(text, WRITTEN);
  }

  @Override
  public List<RowsQuick.Written> run(PreparedStatement statement) throws SQLException {
    List<RowsQuick.Written> written = new ArrayList<>();
    if (statement.executeUpdate() == 0) {
      return written;
    }
    try (ResultSet rows = statement.getGeneratedKeys()) {
      while (rows.next()) {
        long now = rows.getLong(6);
        written.add(
            new RowsQuick.Written(
                new Resource(rows.getString(1), rows.getString(2)),
                rows.getLong(3),
                rows.getLong(4) > now,
                Micros.time(rows.getLong(5) - now)));
      }
    }
    return written;
  }
}
