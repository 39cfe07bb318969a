package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.table.layout.LeaseEnd;
import io.holdfast.jdbc.table.layout.TableSql;

/**
 * The fast path on MariaDB: inserts that update an existing row. Only inserts return what they did.
 */
final class MariaDbFastPath extends ValueRowsFastPath {

  /*
   * Assignments run from left to right, and see the results of earlier ones. So the first one keeps
   * in @hf whether the row may be changed, and the columns that this depends on come last. The
   * lease follows the end, because the end shows whether it is that of the new lease. Rows are
   * inserted one after another, each with its own result right after it, so that @hf is that of the
   * row.
   *
   * The generation of the namespace is read as it was when the statement began, which may have
   * waited for locked rows since. The generation of the last grant is in the row.
   */

  private static final String STATEMENT =
      """
      insert into {lock} (capacity, ns, name, kind, ticket, generation, counter, lease_us,
          expires_us, joined_us, owner, wanted_us, wanted, next_place, touched_us)
      values {rows}
      on duplicate key update {update}
      returning ns, name, @hf, counter, wanted_us > {now}, expires_us - {now}""";

  /** Where the generation is not that of the namespace, an unused row is inserted. */
  private static final String NEW_ROW =
      """
      ((@ad := coalesce((select m.generation from {meta} m where m.ns = ?), 0) = ?) * 0 + 1,
        ?, ?, ?, if(@ad, ?, null), ?, (@hf := @ad) * 0 + {now} div 64, ?, if(@ad, {now} + ?, 0),
        {now}, ?, 0, '', 0, {now})""";

  /** Where there is no row, an unused one is inserted; its values are only compared. */
  private static final String UNUSED_ROW =
      "((@hf := 0) * 0 + 1, ?, ?, '-', null, 0, 0, 0, 0, 0, ?, 0, ?, {lease}, {now})";

  private static final String ATTEMPT =
      """
      counter = if(@hf := (@ad and gone is null and generation <= values(generation)
            and kind in ('-', 'm', 'o', 'd')
            and (wanted_us <= {now} or kind = values(kind))
            and (ticket is null or expires_us <= {now}
              or (ticket = values(ticket) and kind = values(kind) and revoked is null))),
          if({mine}, counter, greatest(counter + 1, values(counter))), counter),
        joined_us = if(@hf and not {mine}, values(joined_us), joined_us),
        generation = if(@hf, values(generation), generation),
        owner = if(@hf, values(owner), owner),
        touched_us = if(@hf, values(touched_us), touched_us),
        capacity = if(@hf, 1, capacity),
        wanted_us = if(@hf and wanted = values(ticket), 0, wanted_us),
        kind = if(@hf, values(kind), kind),
        revoked = if(@hf, null, revoked),
        expires_us = if(@hf, if({mine}, greatest({believed}, values(expires_us)),
            values(expires_us)), expires_us),
        lease_us = if(@hf and expires_us = values(expires_us), values(lease_us), lease_us),
        ticket = if(@hf, values(ticket), ticket)""";

  private static final String MINE = "coalesce(ticket = values(ticket) and expires_us > {now}, 0)";

  /** The end that the holder may rely on: see {@link LeaseEnd}. */
  private static final String BELIEVED = "least(expires_us, {now} + lease_us)";

  private static final String HELD =
      "@hf := coalesce(ticket = values(owner) and kind = values(wanted) and expires_us > {now}";

  private static final String RENEW =
      """
      expires_us = if({held} and revoked is null, 0),
          greatest({believed}, {now} + values(next_place)), expires_us),
        lease_us = if(@hf and expires_us = {now} + values(next_place), values(next_place),
          lease_us)""";

  private static final String LEAVE =
      """
      touched_us = if({held}, 0), values(touched_us), touched_us),
        wanted_us = if(@hf, 0, wanted_us),
        wanted = if(@hf, '', wanted),
        revoked = if(@hf, null, revoked),
        expires_us = if(@hf, 0, expires_us),
        ticket = if(@hf, null, ticket)""";

  private final TableSql sql;

  /** Statements on these tables. */
  MariaDbFastPath(TableSql sql) {
    this.sql = sql;
  }

  private String statement(String row, int rows, String update) {
    return sql.fill(
        STATEMENT
            .replace("{rows}", row + (", " + row).repeat(rows - 1))
            .replace("{update}", update)
            .replace("{mine}", MINE)
            .replace("{believed}", BELIEVED)
            .replace("{held}", HELD));
  }

  @Override
  String attemptSql(int rows) {
    return statement(NEW_ROW, rows, ATTEMPT);
  }

  @Override
  String renewSql(int rows) {
    // The lease is passed in the column of the place, as the last of a verb's values.
    return statement(UNUSED_ROW.replace("{lease}", "?"), rows, RENEW);
  }

  @Override
  String leaveSql(int rows) {
    return statement(UNUSED_ROW.replace("{lease}", "0"), rows, LEAVE);
  }
}
