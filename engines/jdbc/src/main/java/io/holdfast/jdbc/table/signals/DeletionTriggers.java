package io.holdfast.jdbc.table.signals;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.table.layout.TableSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Triggers of PostgreSQL that notify holders when their rows are deleted by hand, and all holders
 * when a table is truncated.
 *
 * <p>They run at deletions only, and not for Holdfast's own connections, so acquiring and releasing
 * a lock does not get slower.
 */
public final class DeletionTriggers {

  private static final String NAME = "holdfast_tell";

  /** Triggers for each row do not run when a table is truncated. */
  private static final String TRUNCATED = "holdfast_tell_truncated";

  /**
   * Known by a setting of ours; behind a pooler, which passes no settings on, by the name alone.
   */
  private static final String STRANGER =
      "coalesce(current_setting('holdfast.client', true), '') <> 'on'"
          + " and current_setting('application_name') <> 'holdfast'";

  private final TableSql sql;

  /** Creates the definitions of the triggers; no I/O. */
  public DeletionTriggers(TableSql sql) {
    this.sql = sql;
  }

  /**
   * Creates missing triggers. Where that is not possible, because of rights or because another
   * client does it at this moment, nothing fails: then holders learn of such a deletion at the next
   * renewal.
   */
  public boolean create(JdbcConnection connection) throws SQLException {
    for (String trigger : missing(connection)) {
      try {
        connection.execute(List.of(function(), trigger));
      } catch (SQLException e) {
        return false;
      }
    }
    return true;
  }

  /** Returns the statements that create the missing ones. */
  private List<String> missing(JdbcConnection connection) throws SQLException {
    List<String> missing = new ArrayList<>();
    for (String table : List.of(sql.lock(), sql.ticket())) {
      Set<String> there = names(connection, table);
      if (!there.contains(NAME)) {
        missing.add(deleted(table));
      }
      if (!there.contains(TRUNCATED)) {
        missing.add(truncated(table));
      }
    }
    return missing;
  }

  private static Set<String> names(JdbcConnection connection, String table) throws SQLException {
    Set<String> names = new HashSet<>();
    try (ResultSet rows =
        connection
            .prepare("select tgname from pg_trigger where tgrelid = '" + table + "'::regclass")
            .executeQuery()) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private String function() {
    return sql.fill(
        """
        create or replace function {tell}() returns trigger language plpgsql as $tell$
        begin
          if tg_op = 'DELETE' then
            perform pg_notify('{held}', '|' || old.ns || '/' || old.name);
          else
            perform pg_notify('{held}', '');
          end if;
          return null;
        end $tell$""");
  }

  private String deleted(String table) {
    return trigger(NAME, "delete", table, "row");
  }

  private String truncated(String table) {
    return trigger(TRUNCATED, "truncate", table, "statement");
  }

  private String trigger(String name, String event, String table, String each) {
    return sql.fill(
        "create trigger "
            + name
            + " after "
            + event
            + " on "
            + table
            + " for each "
            + each
            + " when ("
            + STRANGER
            + ") execute function {tell}()");
  }

  /** Returns the statements that create them, to be run by hand. */
  public List<String> statements() {
    return List.of(
        function(),
        deleted(sql.lock()),
        truncated(sql.lock()),
        deleted(sql.ticket()),
        truncated(sql.ticket()));
  }
}
