package io.holdfast.jdbc.table;

import io.holdfast.jdbc.dialect.Dialect;

/**
 * The quick way on MariaDB: inserts that update where a row is, since only inserts answer what they
 * did.
 */
public final class MariaTexts implements RowsQuick.Texts {

  /*
   * Assignments run from left to right, and see what those before them did. So the first of them
   * keeps in @hf whether the row may be changed, and the columns that this depends on come last.
   * Rows are inserted one after another, each with its own answer right after it, so that @hf is
   * that of the row.
   */

  private static final String COLUMNS =
      " (capacity, ns, name, kind, ticket, generation, counter, lease_us, expires_us, joined_us,"
          + " owner, wanted_us, wanted, next_place, touched_us) values ";

  private final String table;
  private final String meta;
  private final String now;

  /** Statements on these tables. */
  public MariaTexts(Sql sql, Dialect dialect) {
    this.table = sql.lock();
    this.meta = sql.meta();
    this.now = dialect.nowMicros();
  }

  private String statement(String row, int rows, String update) {
    return "insert into "
        + table
        + COLUMNS
        + row
        + (", " + row).repeat(rows - 1)
        + " on duplicate key update "
        + update
        + " returning ns, name, @hf, counter, wanted_us > "
        + now;
  }

  @Override
  public String attempts(int rows) {
    String admitted =
        "(@ad := coalesce((select m.generation from " + meta + " m where m.ns = ?), 0) = ?)";
    String row =
        "("
            + admitted
            + " * 0 + 1, ?, ?, ?, if(@ad, ?, null), ?, (@hf := @ad) * 0 + "
            + now
            + " div 64, ?, if(@ad, "
            + now
            + " + ?, 0), "
            + now
            + ", ?, 0, '', 0, "
            + now
            + ")";
    String mine = "coalesce(ticket = values(ticket) and expires_us > " + now + ", 0)";
    String may =
        "@ad and gone is null and kind in ('-', 'm', 'o', 'd') and (wanted_us <= "
            + now
            + " or kind = values(kind)) and (ticket is null or expires_us <= "
            + now
            + " or (ticket = values(ticket) and kind = values(kind) and revoked is null))";
    return statement(
        row,
        rows,
        "counter = if(@hf := ("
            + may
            + "), if("
            + mine
            + ", counter, greatest(counter + 1, values(counter))), counter), joined_us = if(@hf and"
            + " not "
            + mine
            + ", values(joined_us), joined_us), generation = if(@hf, values(generation),"
            + " generation), lease_us = if(@hf, values(lease_us), lease_us), owner = if(@hf,"
            + " values(owner), owner), touched_us = if(@hf, values(touched_us), touched_us),"
            + " capacity = if(@hf, 1, capacity), wanted_us = if(@hf and wanted = values(ticket), 0,"
            + " wanted_us), kind = if(@hf, values(kind), kind), revoked = if(@hf, null, revoked),"
            + " expires_us = if(@hf, values(expires_us), expires_us), ticket = if(@hf,"
            + " values(ticket), ticket)");
  }

  /** Where no row is, one that nobody uses comes; the ticket and its kind are only compared. */
  private String unused(String place) {
    return "((@hf := 0) * 0 + 1, ?, ?, '-', null, 0, 0, 0, 0, 0, ?, 0, ?, "
        + place
        + ", "
        + now
        + ")";
  }

  private String held(String more) {
    return "@hf := coalesce(ticket = values(owner) and kind = values(wanted) and expires_us > "
        + now
        + more
        + ", 0)";
  }

  @Override
  public String renewals(int rows) {
    return statement(
        // The lease travels in the column of the place, as it is the last of a verb's values.
        unused("?"),
        rows,
        "lease_us = if("
            + held(" and revoked is null")
            + ", values(next_place), lease_us), expires_us = if(@hf, "
            + now
            + " + values(next_place), expires_us)");
  }

  @Override
  public String leaves(int rows) {
    return statement(
        unused("0"),
        rows,
        "touched_us = if("
            + held("")
            + ", values(touched_us), touched_us), wanted_us = if(@hf, 0, wanted_us), wanted ="
            + " if(@hf, '', wanted), revoked = if(@hf, null, revoked), expires_us = if(@hf, 0,"
            + " expires_us), ticket = if(@hf, null, ticket)");
  }
}
