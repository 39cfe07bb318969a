package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Triggers of PostgreSQL that tell holders when somebody else deletes their rows by hand. They run
 * at deletions alone, and their conditions leave out those of Holdfast's own connections, so that a
 * lock that is taken and released costs nothing more.
 */
public final class HeldTriggers {

  private static final String NAME = "holdfast_tell";

  /** By a setting of ours; behind a pooler, which passes no settings on, by the name alone. */
  private static final String STRANGER =
      "coalesce(current_setting('holdfast.client', true), '') <> 'on'"
          + " and current_setting('application_name') <> 'holdfast'";

  private final Sql sql;

  /** Those of these tables. */
  public HeldTriggers(Sql sql) {
    this.sql = sql;
  }

  /**
   * Creates those that are missing. Where that cannot be done, for lack of rights or because
   * another client does it at this moment, nothing fails: then such a deletion is told at the next
   * renewal.
   */
  public boolean create(Link link) throws SQLException {
    for (String table : missing(link)) {
      try {
        link.execute(List.of(function(), trigger(table)));
      } catch (SQLException e) {
        return false;
      }
    }
    return true;
  }

  private List<String> missing(Link link) throws SQLException {
    List<String> missing = new ArrayList<>();
    for (String table : List.of(sql.lock(), sql.ticket())) {
      try (ResultSet rows =
          link.prepare(
                  "select count(*) from pg_trigger where tgname = '"
                      + NAME
                      + "' and tgrelid = '"
                      + table
                      + "'::regclass")
              .executeQuery()) {
        rows.next();
        if (rows.getInt(1) == 0) {
          missing.add(table);
        }
      }
    }
    return missing;
  }

  private String function() {
    return sql.fill(
        """
        create or replace function {tell}() returns trigger language plpgsql as $tell$
        begin
          perform pg_notify('{held}', '|' || old.ns || '/' || old.name);
          return null;
        end $tell$""");
  }

  private String trigger(String table) {
    return sql.fill(
        "create trigger "
            + NAME
            + " after delete on "
            + table
            + " for each row when ("
            + STRANGER
            + ") execute function {tell}()");
  }

  /** The statements that create them, for somebody who runs them by hand. */
  public List<String> statements() {
    return List.of(function(), trigger(sql.lock()), trigger(sql.ticket()));
  }
}
