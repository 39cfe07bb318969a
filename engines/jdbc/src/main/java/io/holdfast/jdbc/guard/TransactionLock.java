package io.holdfast.jdbc.guard;

import io.holdfast.LockRefusedException;
import io.holdfast.LockTimeoutException;
import io.holdfast.jdbc.dialect.LockName;
import io.holdfast.spi.Resource;
import io.holdfast.spi.support.DurationText;
import io.holdfast.spi.support.RetryDelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A lock that your transaction takes, released by its commit or rollback.
 *
 * <p>The end of its connection releases it too. For PostgreSQL, MariaDB, MySQL and H2.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * TransactionLock.on(connection).acquire("orders/42", Duration.ofSeconds(5)); // first
 * …                                                                           // read and write
 * connection.commit();                                                        // free
 * }</pre>
 *
 * <p><b>What it is not.</b> It has no lease, no fencing token, no visible holder, no order, and no
 * release but the end of the transaction. It excludes other transactions that take the same name in
 * this way in the same database, and nothing else: not holders of {@link
 * io.holdfast.Holdfast#lock}, in whichever mode. It protects what this transaction writes to this
 * database, and nothing else. There it needs neither lease nor token: a transaction that has lost
 * its lock cannot commit.
 *
 * <p><b>In your transaction.</b> Take it before the first read, because what was read before may be
 * older than the lock. It never commits, rolls back or changes a setting, and its statements do not
 * fail when the lock is taken, so PostgreSQL does not abort the transaction. The transaction that
 * has the lock can take it again. PostgreSQL and H2 need READ COMMITTED: in a transaction that
 * reads from a snapshot, the snapshot would be older than the lock. After a refusal on MariaDB or
 * MySQL the transaction may have begun its snapshot: roll back before you ask again. Rolling back
 * to a savepoint that is older than the lock may release it.
 *
 * <p><b>Waiting</b> means polling, after 2 ms doubling to 100 ms. So two transactions that wait for
 * each other's locks time out instead of failing with the database's deadlock error: take several
 * names in one order.
 *
 * <p><b>What is stored.</b> On PostgreSQL nothing: it is an advisory lock, and works behind a
 * pooler in transaction mode too. Elsewhere a name maps to one of 65,536 rows of a table that
 * {@link #createTable} creates once; two names that share a row exclude each other. Rights: SELECT
 * and UPDATE on the table.
 *
 * <p>Not thread-safe, like its connection.
 */
public final class TransactionLock {

  private static final String TABLE = "holdfast_slot";
  private static final String NAMESPACE = "default";
  private static final RetryDelay DELAY =
      new RetryDelay(
          Duration.ofMillis(2),
          Duration.ofMillis(100),
          () -> ThreadLocalRandom.current().nextDouble());

  private final Connection connection;
  private final String table;
  private final String namespace;

  private TransactionLock(Connection connection, String table, String namespace) {
    this.connection = connection;
    this.table = table;
    this.namespace = namespace;
  }

  /** Locks of the transaction that this connection is in when they are taken. No I/O. */
  public static TransactionLock on(Connection connection) {
    return new TransactionLock(connection, TABLE, NAMESPACE);
  }

  /** Returns a copy for names of another namespace. */
  public TransactionLock inNamespace(String other) {
    return new TransactionLock(connection, table, Resource.requireNamespace(other));
  }

  /**
   * Returns a copy with another table, such as {@code app.holdfast_slot}. All transactions that
   * exclude each other must use the same table; PostgreSQL uses none.
   *
   * @throws IllegalArgumentException when it is not a plain name, with or without a schema
   */
  public TransactionLock withTable(String other) {
    return new TransactionLock(connection, SqlName.table(other), namespace);
  }

  /**
   * Creates the table, with its rows, if it is missing; does nothing on PostgreSQL.
   *
   * @throws IllegalStateException when the connection is in a transaction: many databases would
   *     commit that
   */
  public void createTable() throws SQLException {
    SqlStatements.requireAutoCommit(connection, table);
    TransactionGate.of(connection, table).create(connection);
  }

  /**
   * Takes the lock; blocks for up to the wait, and for the trips to the database.
   *
   * @throws LockTimeoutException when another transaction had it all the time; this transaction is
   *     unchanged
   * @throws InterruptedException when interrupted while waiting; this transaction is unchanged
   * @throws IllegalStateException when the connection is in autocommit mode, or reads from a
   *     snapshot where that is older than the lock
   * @throws LockRefusedException when the table is missing; the message has its definition
   * @throws SQLFeatureNotSupportedException when the database has no such locks
   * @throws SQLException as the driver throws it
   */
  public void acquire(String name, Duration wait) throws SQLException, InterruptedException {
    if (!tryAcquire(name, wait)) {
      throw new LockTimeoutException(
          "another transaction had "
              + new Resource(namespace, name)
              + " for all of the "
              + DurationText.of(wait)
              + " that this one waited: roll back, and try again later",
          null);
    }
  }

  /** Takes the lock if it is free; never waits. Throws as {@link #acquire} does. */
  public boolean tryAcquire(String name) throws SQLException {
    LockName lock = LockName.ofTransaction(new Resource(namespace, name));
    TransactionGate gate = requireGate(name);
    if (gate.take(connection, lock)) {
      return true;
    }
    // A missing row would be refused for ever.
    gate.requireThere(connection, lock);
    return false;
  }

  /**
   * Takes the lock if it becomes free within the wait; blocks for up to that. Throws as {@link
   * #acquire} does, except for the timeout, for which it returns false.
   *
   * @return false when another transaction had it all the time
   */
  public boolean tryAcquire(String name, Duration wait) throws SQLException, InterruptedException {
    LockName lock = LockName.ofTransaction(new Resource(namespace, name));
    TransactionGate gate = requireGate(name);
    long start = System.nanoTime();
    for (int failures = 1; !gate.take(connection, lock); failures++) {
      Duration left = wait.minusNanos(System.nanoTime() - start);
      if (left.isNegative() || left.isZero()) {
        gate.requireThere(connection, lock);
        return false;
      }
      long pause = DELAY.nanosAfter(failures);
      TimeUnit.NANOSECONDS.sleep(
          left.compareTo(Duration.ofNanos(pause)) < 0 ? left.toNanos() : pause);
    }
    return true;
  }

  private TransactionGate requireGate(String name) throws SQLException {
    SqlStatements.requireTransaction(connection, "lock", new Resource(namespace, name));
    return TransactionGate.of(connection, table);
  }
}
