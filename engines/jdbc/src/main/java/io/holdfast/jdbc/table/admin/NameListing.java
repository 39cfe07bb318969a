package io.holdfast.jdbc.table.admin;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.spi.EngineException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists the used names of a namespace, in the order of their bytes.
 *
 * <p>A million unused rows may contain no used name, so each statement reads a bounded number of
 * rows, within the timeouts.
 */
final class NameListing {

  private static final int BELOW_SURROGATES = 0xD7FF;
  private static final int ABOVE_SURROGATES = 0xE000;

  private final TableSql sql;
  private final String namespace;
  private final String prefix;
  private final Optional<String> end;
  private String after;
  private boolean over;

  /** Names with this prefix, after this one. */
  NameListing(TableSql sql, String namespace, String prefix, String after) {
    this.sql = sql;
    this.namespace = namespace;
    this.prefix = prefix;
    this.after = after;
    this.end = sql.hasWindows() ? end(prefix) : Optional.empty();
  }

  /** Returns the first name after all names with this prefix; empty if there is none. */
  static Optional<String> end(String prefix) {
    int length = prefix.length();
    while (length > 0) {
      int last = prefix.codePointBefore(length);
      length -= Character.charCount(last);
      if (last < Character.MAX_CODE_POINT) {
        int next = last == BELOW_SURROGATES ? ABOVE_SURROGATES : last + 1;
        return Optional.of(prefix.substring(0, length) + Character.toString(next));
      }
    }
    return Optional.empty();
  }

  /** Returns whether there are no more names. */
  boolean isOver() {
    return over;
  }

  /** Returns the next names; may be empty although the listing is not over. */
  List<String> next(SqlRunner runner, int limit) throws EngineException {
    Optional<String> edge = sql.hasWindows() ? runner.statement(this::edge) : Optional.empty();
    List<String> names = runner.statement(connection -> names(connection, edge, limit));
    if (names.size() == limit) {
      after = names.get(limit - 1);
    } else if (edge.isPresent()) {
      after = edge.get();
    } else {
      over = true;
    }
    return names;
  }

  /** Returns the last name of the next window; empty if there are fewer. */
  private Optional<String> edge(JdbcConnection connection) throws SQLException {
    PreparedStatement statement = connection.prepare(sql.windowEnd(end.isPresent()));
    int ignored = bind(statement, end);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
    }
  }

  private List<String> names(JdbcConnection connection, Optional<String> edge, int limit)
      throws SQLException {
    Optional<String> beyond = edge.isPresent() ? edge : end;
    String compared = edge.isPresent() ? "<=" : "<";
    PreparedStatement statement = connection.prepare(sql.names(beyond.isPresent() ? compared : ""));
    statement.setInt(bind(statement, beyond), limit);
    List<String> names = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      // Names with one prefix are adjacent, so the first other name is the end.
      while (rows.next() && rows.getString(1).startsWith(prefix)) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private int bind(PreparedStatement statement, Optional<String> beyond) throws SQLException {
    statement.setString(1, namespace);
    statement.setString(2, prefix);
    statement.setString(3, after);
    if (beyond.isEmpty()) {
      return 4;
    }
    statement.setString(4, beyond.get());
    return 5;
  }
}
