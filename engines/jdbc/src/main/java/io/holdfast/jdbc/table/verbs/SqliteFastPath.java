package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.table.layout.LeaseEnd;
import io.holdfast.jdbc.table.layout.ResourceRow;
import io.holdfast.jdbc.table.layout.TableSql;

/**
 * The fast path on SQLite: inserts that update an existing row under conditions.
 *
 * <p>A leave does not wake waiters, which poll; so it keeps the mark that there is a waiter, and
 * the next holder learns of it. The mark of several waiters is cut short by every grant: the
 * remaining waiters renew it.
 */
final class SqliteFastPath extends ValueRowsFastPath {

  /** A little longer than the longest poll interval of a waiter. */
  private static final String ASKS_MICROS = "700000";

  /** The end that the holder may rely on: see {@link LeaseEnd}. */
  private static final String BELIEVED = "min(l.expires_us, {now} + l.lease_us)";

  private static final String ATTEMPT =
      """
      insert into {lock} as l (ns, name, kind, capacity, ticket, generation, counter, lease_us,
          expires_us, joined_us, owner, wanted_us, wanted, next_place, touched_us)
      select a.column3, a.column4, a.column5, 1, a.column6, a.column7, {now} / 64, a.column8,
          {now} + a.column9, {now}, a.column10, 0, '', 0, {now}
        from (values {rows}) a
       where coalesce((select m.generation from {meta} m where m.ns = a.column1), 0) = a.column2
      on conflict (ns, name) do update set
          counter = case when l.ticket = excluded.ticket and l.expires_us > {now}
            then l.counter else max(l.counter + 1, excluded.counter) end,
          joined_us = case when l.ticket = excluded.ticket and l.expires_us > {now}
            then l.joined_us else excluded.joined_us end,
          ticket = excluded.ticket, kind = excluded.kind, capacity = 1,
          generation = excluded.generation,
          lease_us = case when l.ticket = excluded.ticket and l.expires_us > {now}
            and {believed} > excluded.expires_us then l.lease_us else excluded.lease_us end,
          expires_us = case when l.ticket = excluded.ticket and l.expires_us > {now}
            then max({believed}, excluded.expires_us) else excluded.expires_us end,
          owner = excluded.owner, revoked = null,
          wanted_us = case when l.wanted = excluded.ticket then 0
            when l.wanted = '{several}' then min(l.wanted_us, {now} + {asks}) else l.wanted_us end,
          touched_us = excluded.touched_us
       where l.gone is null and l.generation <= excluded.generation
         and l.kind in ('-', 'm', 'o', 'd')
         and (l.wanted_us <= {now} or l.kind = excluded.kind)
         and (l.ticket is null or l.expires_us <= {now}
           or l.ticket = excluded.ticket and l.kind = excluded.kind and l.revoked is null)
      returning ns, name, 1, counter, wanted_us > {now}, expires_us - {now}""";

  private static final String RENEW =
      """
      update {lock} as l set expires_us = max({believed}, {now} + a.column5),
          lease_us = case when {believed} > {now} + a.column5 then l.lease_us else a.column5 end
        from (values {rows}) a
       where l.ns = a.column1 and l.name = a.column2 and l.ticket = a.column3
         and l.kind = a.column4 and l.expires_us > {now} and l.revoked is null
      returning ns, name, 1, counter, wanted_us > {now}, expires_us - {now}""";

  private static final String LEAVE =
      """
      update {lock} as l set ticket = null, expires_us = 0, revoked = null, touched_us = {now}
        from (values {rows}) a
       where l.ns = a.column1 and l.name = a.column2 and l.ticket = a.column3
         and l.kind = a.column4 and l.expires_us > {now}
      returning ns, name, 1, counter, 0, 0""";

  private final TableSql sql;

  /** Statements on these tables. */
  SqliteFastPath(TableSql sql) {
    this.sql = sql;
  }

  private String statement(String text, int columns, int rows) {
    String row = "(" + TableSql.marks(columns) + ")";
    return sql.fill(
        text.replace("{rows}", row + (", " + row).repeat(rows - 1))
            .replace("{believed}", BELIEVED)
            .replace("{several}", ResourceRow.SEVERAL)
            .replace("{asks}", ASKS_MICROS));
  }

  @Override
  String attemptSql(int rows) {
    return statement(ATTEMPT, 10, rows);
  }

  @Override
  String renewSql(int rows) {
    return statement(RENEW, 5, rows);
  }

  @Override
  String leaveSql(int rows) {
    return statement(LEAVE, 4, rows);
  }
}
