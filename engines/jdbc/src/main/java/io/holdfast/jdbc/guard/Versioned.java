package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.guard.StaleVersionException.Seen;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Optimistic updates of a table, by a version column or by value.
 *
 * <p>An update reads a row, computes, and writes it if no other writer has written it since;
 * otherwise it starts over. No lock is held while computing. Good where writers seldom meet; where
 * they meet all the time, a lock costs less than the attempts.
 *
 * <pre>{@code
 * Versioned products = Versioned.table("product", "id", "version").columns("stock");
 * products.update(dataSource, 42, row -> row.with("stock", row.getLong("stock") - 1));
 * }</pre>
 *
 * <p>Every writer of such a row must increment its version, by this class or by {@code SET …,
 * version = version + 1}. A table without such a column is updated {@linkplain #byValue by value},
 * {@code … AND stock = ?}. For any SQL database. Immutable and thread-safe.
 */
public final class Versioned {

  private static final int ATTEMPTS = 10;
  private static final RetryPauses PAUSES =
      RetryPauses.of(Duration.ofMillis(5), Duration.ofMillis(200));

  private final VersionedTable table;
  private final int attempts;
  private final RetryPauses pauses;

  private Versioned(VersionedTable table, int attempts, RetryPauses pauses) {
    this.table = table;
    this.attempts = attempts;
    this.pauses = pauses;
  }

  /**
   * Updates of the rows of a table: 10 attempts, with pauses of 5 ms that double up to 200 ms, each
   * cut at random by up to a half.
   *
   * @param key the column that finds a row; it must be unique
   * @param version a column of whole numbers, not null
   * @throws IllegalArgumentException when a name is not a plain one
   */
  public static Versioned table(String table, String key, String version) {
    return new Versioned(new VersionedTable(table, key, version, List.of()), ATTEMPTS, PAUSES);
  }

  /**
   * Updates of the rows of a table without a version: a row is written if all {@link #columns} that
   * were read still have the values that were read, {@code UPDATE … WHERE id = ? AND stock = ?}.
   *
   * <p>A value that went away and came back counts as unchanged. That is right for a number that
   * stands for itself, such as a stock, and wrong where it matters what happened in between; read
   * all columns that the new values depend on. Values are compared as the database compares them:
   * in some collations {@code a} is {@code A}, and numbers with a floating point may equal nothing.
   *
   * @param key the column that finds a row; it must be unique
   * @throws IllegalArgumentException when a name is not a plain one
   */
  public static Versioned byValue(String table, String key) {
    return new Versioned(new VersionedTable(table, key, "", List.of()), ATTEMPTS, PAUSES);
  }

  /**
   * Returns a copy with these columns, which are read and written.
   *
   * @throws IllegalArgumentException when a name is not a plain one, or is that of the version
   */
  public Versioned columns(String... columns) {
    return new Versioned(
        new VersionedTable(table.table(), table.key(), table.version(), List.of(columns)),
        attempts,
        pauses);
  }

  /**
   * Returns a copy with this number of attempts.
   *
   * @param most at least 1, which means no retry
   */
  public Versioned attempts(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("attempts must be >= 1: attempts=" + most);
    }
    return new Versioned(table, most, pauses);
  }

  /**
   * Returns a copy with pauses that double from the first to the longest, each cut by up to a half.
   */
  public Versioned pauses(Duration first, Duration longest) {
    return pauses(RetryPauses.of(first, longest));
  }

  Versioned pauses(RetryPauses other) {
    return new Versioned(table, attempts, other);
  }

  /**
   * Updates a row, each attempt in a transaction of its own. Blocks for the attempts and the pauses
   * between them. An interrupt ends the pauses and so the attempts; the flag stays set.
   *
   * @param change computes the new row from the current one. It is called again for every attempt,
   *     so it should do nothing else. If it returns the very row that it got, nothing is written;
   *     what it throws is thrown, and nothing is written either
   * @return the row as it is now
   * @throws StaleVersionException when other writers were faster every time
   * @throws NoSuchElementException when there is no such row
   * @throws SQLException any other database error; if the connection broke during the commit, it is
   *     unknown whether the row was written
   */
  public VersionedRow update(DataSource source, Object key, UnaryOperator<VersionedRow> change)
      throws SQLException {
    for (int attempt = 1; ; attempt++) {
      Attempt made = attempt(source, key, change);
      if (made instanceof Attempt.Done done) {
        return done.row();
      }
      if (attempt == attempts || !pauses.after(attempt)) {
        throw overtaken(source, key, (Attempt.Overtaken) made, attempt);
      }
    }
  }

  /**
   * Updates a row in the transaction of the connection, if it is in one. One attempt: in a
   * transaction that reads from a snapshot (REPEATABLE READ, SERIALIZABLE) another one would read
   * the same old row again, so only the whole transaction can be tried again. Neither commits nor
   * rolls back.
   *
   * @param change as for {@link #update(DataSource, Object, UnaryOperator)}
   * @return the row as it is now, for this transaction
   * @throws StaleVersionException when another writer was faster; roll back and begin again
   * @throws NoSuchElementException when there is no such row
   * @throws SQLException as the driver throws it, even when another transaction was in the way
   */
  public VersionedRow update(Connection connection, Object key, UnaryOperator<VersionedRow> change)
      throws SQLException {
    Attempt made = attempt(connection, key, change);
    if (made instanceof Attempt.Done done) {
      return done.row();
    }
    long read = ((Attempt.Overtaken) made).version();
    long found = table.current(connection, key).orElse(Seen.UNKNOWN);
    // From a snapshot the old version is read again, which is not the current one.
    Seen seen = new Seen(read, found == read ? Seen.UNKNOWN : found);
    throw new StaleVersionException(table, key, seen, 1, null);
  }

  private sealed interface Attempt {
    record Done(VersionedRow row) implements Attempt {}

    record Overtaken(long version, @Nullable SQLException cause) implements Attempt {}
  }

  private Attempt attempt(DataSource source, Object key, UnaryOperator<VersionedRow> change)
      throws SQLException {
    try {
      return SqlStatements.inTransaction(source, connection -> attempt(connection, key, change));
    } catch (SQLException e) {
      if (SqlErrors.isConflict(e)) {
        return new Attempt.Overtaken(Seen.UNKNOWN, e);
      }
      throw e;
    }
  }

  private Attempt attempt(Connection connection, Object key, UnaryOperator<VersionedRow> change)
      throws SQLException {
    if (table.columns().isEmpty() && table.isByValue()) {
      throw new IllegalStateException(
          "there is nothing to compare in " + table.table() + ": call columns(…)");
    }
    VersionedRow read = table.read(connection, key);
    VersionedRow changed = change.apply(read);
    if (changed == read || (table.isByValue() && changed.values().equals(read.values()))) {
      return new Attempt.Done(read);
    }
    if (changed.version() != read.version()) {
      throw new IllegalArgumentException(
          "change must return a row made from its argument: version "
              + changed.version()
              + " instead of "
              + read.version());
    }
    boolean written = table.write(connection, key, read, changed);
    if (!written) {
      return new Attempt.Overtaken(table.isByValue() ? Seen.UNKNOWN : read.version(), null);
    }
    return new Attempt.Done(table.isByValue() ? changed : changed.next());
  }

  private StaleVersionException overtaken(
      DataSource source, Object key, Attempt.Overtaken last, int attempts) {
    long found = Seen.UNKNOWN;
    try {
      found =
          SqlStatements.inTransaction(source, on -> table.current(on, key)).orElse(Seen.UNKNOWN);
    } catch (SQLException e) {
      if (last.cause() != null) {
        last.cause().addSuppressed(e);
      }
    }
    Seen seen = new Seen(last.version(), found);
    return new StaleVersionException(table, key, seen, attempts, last.cause());
  }
}
