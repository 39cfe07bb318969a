package io.holdfast.jdbc.table;

import io.holdfast.jdbc.dialect.Dialect;

/** The quick way on SQLite: inserts that update where a row is and may be changed. */
public final class SqliteTexts implements RowsQuick.Texts {

  private final String table;
  private final String meta;
  private final String now;

  /** Statements on these tables. */
  public SqliteTexts(Sql sql, Dialect dialect) {
    this.table = sql.lock();
    this.meta = sql.meta();
    this.now = dialect.nowMicros();
  }

  private static String values(int columns, int rows) {
    String row = "(" + Sql.marks(columns) + ")";
    return "(values " + row + (", " + row).repeat(rows - 1) + ") a";
  }

  private String returning() {
    return " returning ns, name, 1, counter, wanted_us > " + now;
  }

  @Override
  public String attempts(int rows) {
    String mine = "l.ticket = excluded.ticket and l.expires_us > " + now;
    return "insert into "
        + table
        + " as l (ns, name, kind, capacity, ticket, generation, counter, lease_us, expires_us,"
        + " joined_us, owner, wanted_us, wanted, next_place, touched_us) select a.column3,"
        + " a.column4, a.column5, 1, a.column6, a.column7, "
        + now
        + " / 64, a.column8, "
        + now
        + " + a.column9, "
        + now
        + ", a.column10, 0, '', 0, "
        + now
        + " from "
        + values(10, rows)
        + " where coalesce((select m.generation from "
        + meta
        + " m where m.ns = a.column1), 0) = a.column2 on conflict (ns, name) do update set"
        + " counter = case when "
        + mine
        + " then l.counter else max(l.counter + 1, excluded.counter) end, joined_us = case when "
        + mine
        + " then l.joined_us else excluded.joined_us end, ticket = excluded.ticket,"
        + " kind = excluded.kind, capacity = 1, generation = excluded.generation,"
        + " lease_us = excluded.lease_us, expires_us = excluded.expires_us,"
        + " owner = excluded.owner, revoked = null, touched_us = excluded.touched_us, wanted_us ="
        + " case when l.wanted = excluded.ticket then 0 else l.wanted_us end"
        + " where l.gone is null and l.kind in ('-', 'm', 'o', 'd') and (l.wanted_us <= "
        + now
        + " or l.kind = excluded.kind) and (l.ticket is null or l.expires_us <= "
        + now
        + " or l.ticket = excluded.ticket and l.kind = excluded.kind and l.revoked is null)"
        + returning();
  }

  @Override
  public String renewals(int rows) {
    return "update "
        + table
        + " as l set expires_us = "
        + now
        + " + a.column5, lease_us = a.column5 from "
        + values(5, rows)
        + held()
        + " and l.revoked is null"
        + returning();
  }

  @Override
  public String leaves(int rows) {
    return "update "
        + table
        + " as l set ticket = null, expires_us = 0, revoked = null, wanted_us = 0, wanted = '',"
        + " touched_us = "
        + now
        + " from "
        + values(4, rows)
        + held()
        + returning();
  }

  private String held() {
    return " where l.ns = a.column1 and l.name = a.column2 and l.ticket = a.column3"
        + " and l.kind = a.column4 and l.expires_us > "
        + now;
  }
}
