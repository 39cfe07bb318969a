package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists the names of a namespace that somebody uses, in the order of their bytes. Among a million
 * rows that nobody uses there may be none: so it looks at so many rows at a time, each time in a
 * statement that the timeouts leave room for.
 */
final class NameWalk {

  private static final int BELOW_SURROGATES = 0xD7FF;
  private static final int ABOVE_SURROGATES = 0xE000;

  private final Sql sql;
  private final String namespace;
  private final String prefix;
  private final Optional<String> end;
  private String after;
  private boolean over;

  /** Names with this prefix, after this one. */
  NameWalk(Sql sql, String namespace, String prefix, String after) {
    this.sql = sql;
    this.namespace = namespace;
    this.prefix = prefix;
    this.after = after;
    this.end = sql.hasWindows() ? end(prefix) : Optional.empty();
  }

  /** The first name that is behind all with this prefix; empty if there is none. */
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

  /** Whether there are no more. */
  boolean isOver() {
    return over;
  }

  /** The next of them; may be none although it is not over. */
  List<String> next(Runner runner, int limit) throws EngineException {
    Optional<String> edge = sql.hasWindows() ? runner.statement(this::edge) : Optional.empty();
    List<String> names = runner.statement(link -> names(link, edge, limit));
    if (names.size() == limit) {
      after = names.get(limit - 1);
    } else if (edge.isPresent()) {
      after = edge.get();
    } else {
      over = true;
    }
    return names;
  }

  /** The last name of the next window; empty if there are fewer. */
  private Optional<String> edge(Link link) throws SQLException {
    PreparedStatement statement = link.prepare(sql.windowEnd(end.isPresent()));
    int ignored = bind(statement, end);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
    }
  }

  private List<String> names(Link link, Optional<String> edge, int limit) throws SQLException {
    Optional<String> beyond = edge.isPresent() ? edge : end;
    String compared = edge.isPresent() ? "<=" : "<";
    PreparedStatement statement = link.prepare(sql.names(beyond.isPresent() ? compared : ""));
    statement.setInt(bind(statement, beyond), limit);
    List<String> names = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      // Names that begin alike stand together, so the first other one is the end.
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
