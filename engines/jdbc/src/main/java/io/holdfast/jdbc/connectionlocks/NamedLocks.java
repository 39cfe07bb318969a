package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.connection.OtherSessionException;
import io.holdfast.jdbc.dialect.LockName;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.Setting;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Named locks of MariaDB and MySQL, which belong to the server, not to a database. Each reply is
 * one row, with some columns for each lock.
 */
final class NamedLocks implements SessionLocks {

  private static final String MARK = "coalesce(get_lock(?, 0), 0)";
  private static final String FREE = "coalesce(release_lock(?), 0)";
  private static final String WANTED = "coalesce(is_used_lock(?) <> connection_id(), 0)";
  private static final String ID = MySqlFamily.mariaDb().sessionName();

  private final ModeTables tables;
  private final String take;
  private final boolean mintsWithTheLock;

  /** MySQL has no sequences, so its numbers take one more trip. */
  NamedLocks(ModeTables tables) {
    this.tables = tables;
    this.mintsWithTheLock = tables.tokenCounter() instanceof MariaDbTokenSequence;
    String number =
        tables.tokenCounter() instanceof MariaDbTokenSequence maria ? maria.next() : "1";
    String known = "coalesce(" + tables.generation("?") + ", 0)";
    take =
        known
            + ", case when "
            + ID
            + " <> ? then 0 when "
            + known
            + " > ? then 0 when get_lock(?, 0) = 1 then "
            + number
            + " else 0 end, "
            + WANTED;
  }

  @Override
  public List<Taken> take(JdbcConnection connection, String session, List<Wish> wishes)
      throws SQLException {
    PreparedStatement statement = connection.prepare(columns(take, wishes.size()));
    int at = 1;
    for (Wish wish : wishes) {
      statement.setString(at++, wish.namespace());
      statement.setString(at++, session);
      statement.setString(at++, wish.namespace());
      statement.setInt(at++, wish.generation());
      statement.setString(at++, wish.lock().text());
      statement.setString(at++, wish.wanted().text());
    }
    List<Taken> taken = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      if (!session.equals(rows.getString(1))) {
        throw new OtherSessionException();
      }
      for (int i = 0; i < wishes.size(); i++) {
        int column = 2 + 3 * i;
        taken.add(
            new Taken(rows.getInt(column), rows.getLong(column + 1), rows.getBoolean(column + 2)));
      }
    }
    return mintsWithTheLock ? taken : numbered(connection, taken);
  }

  private List<Taken> numbered(JdbcConnection connection, List<Taken> taken) throws SQLException {
    int granted = (int) taken.stream().filter(each -> each.counter() > 0).count();
    if (granted == 0) {
      return taken;
    }
    long next = tables.tokenCounter().take(connection, granted) - granted + 1;
    List<Taken> numbered = new ArrayList<>();
    for (Taken each : taken) {
      long number = each.counter() > 0 ? next++ : 0;
      numbered.add(new Taken(each.generation(), number, each.wanted()));
    }
    return numbered;
  }

  @Override
  public List<Boolean> mark(JdbcConnection connection, List<LockName> names) throws SQLException {
    return ask(connection, MARK, names).wanted();
  }

  @Override
  public List<Boolean> free(JdbcConnection connection, List<LockName> names) throws SQLException {
    return ask(connection, FREE, names).wanted();
  }

  @Override
  public Alive probe(JdbcConnection connection, List<LockName> wanted) throws SQLException {
    return ask(connection, WANTED, wanted);
  }

  private static Alive ask(JdbcConnection connection, String each, List<LockName> names)
      throws SQLException {
    PreparedStatement statement = connection.prepare(columns(each, names.size()));
    for (int i = 0; i < names.size(); i++) {
      statement.setString(i + 1, names.get(i).text());
    }
    List<Boolean> answers = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      for (int i = 0; i < names.size(); i++) {
        answers.add(rows.getBoolean(2 + i));
      }
      return new Alive(rows.getString(1), answers);
    }
  }

  private static String columns(String each, int count) {
    List<String> columns = new ArrayList<>(Collections.nCopies(count, each));
    columns.add(0, ID);
    return "select " + String.join(", ", columns);
  }

  /** In whole seconds, and never less than a lease. */
  @Override
  public List<String> settings(Duration lease) {
    long seconds = lease.plusMillis(999).toSeconds();
    return List.of("set session wait_timeout = " + seconds);
  }

  @Override
  public List<Setting> changes() {
    return List.of(MySqlFamily.setting("wait_timeout"));
  }

  @Override
  public String freeAll() {
    return "do release_all_locks()";
  }
}
