package io.holdfast.jdbc;

import io.holdfast.LockRefusedException;
import io.holdfast.LockTimeoutException;
import io.holdfast.jdbc.kept.LockName;
import io.holdfast.spi.Resource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A lock that belongs to a transaction of yours: its commit or rollback releases it, and so does
 * the end of its connection. For PostgreSQL, MariaDB, MySQL and H2.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * TransactionLock.on(connection).acquire("orders/42", Duration.ofSeconds(5)); // first
 * …                                                                           // read and write
 * connection.commit();                                                        // free
 * }</pre>
 *
 * <p><b>What it is not.</b> It has no lease, no fencing token, no holder that could be shown, no
 * order, and nothing to release it by but the end of the transaction. It excludes other
 * transactions that take the same name in this way in the same database, and nobody else: not
 * holders of {@link io.holdfast.Holdfast#lock}, in whichever mode. It protects what this
 * transaction writes to this database, which is where it needs neither lease nor token: a
 * transaction that has lost its lock cannot commit. It protects nothing else.
 *
 * <p><b>In your transaction.</b> Take it before the first read, because what was read before may be
 * older than the lock. It never commits, rolls back or changes a setting, and what it runs does not
 * fail for a lock that is taken, so PostgreSQL does not abort the transaction. The lock can be
 * taken again by the transaction that has it. Of PostgreSQL and H2 it wants READ COMMITTED: in a
 * transaction that reads from a snapshot, the snapshot would be older than the lock. After a no on
 * MariaDB or MySQL the transaction may have begun its snapshot: roll back before you ask again. To
 * roll back to a savepoint that is older than the lock may release it.
 *
 * <p><b>Waiting</b> is asking again, after 2 ms doubling to 100 ms. So two transactions that each
 * wait for the other's lock end with their waits, not with the database's deadlock error: take
 * several names in one order.
 *
 * <p><b>What is stored.</b> On PostgreSQL nothing: it is an advisory lock, and works behind a
 * pooler in transaction mode too. Elsewhere a name is one of 65,536 rows of a table that {@link
 * #createTable} makes once; two names that share a row exclude each other. Rights: to select and
 * update it.
 *
 * <p>As safe for threads as its connection is: one at a time.
 */
public final class TransactionLock {

  private static final String TABLE = "holdfast_slot";
  private static final String NAMESPACE = "default";
  private static final long FIRST_PAUSE_NANOS = 2_000_000;
  private static final long LONGEST_PAUSE_NANOS = 100_000_000;

  private final Connection connection;
  private final String table;
  private final String namespace;

  private TransactionLock(Connection connection, String table, String namespace) {
    this.connection = connection;
    this.table = table;
    this.namespace = namespace;
  }

  /** Locks of the transaction that this connection is in when they are asked for. Asks nothing. */
  public static TransactionLock on(Connection connection) {
    return new TransactionLock(connection, TABLE, NAMESPACE);
  }

  /** The same for names of another namespace. */
  public TransactionLock inNamespace(String other) {
    return new TransactionLock(connection, table, Resource.requireNamespace(other));
  }

  /**
   * The same with another table, such as {@code app.holdfast_slot}. All that are to exclude each
   * other must use the same one; PostgreSQL uses none.
   *
   * @throws IllegalArgumentException when it is not a plain name, with or without a schema
   */
  public TransactionLock withTable(String other) {
    return new TransactionLock(connection, SqlName.table(other), namespace);
  }

  /**
   * Creates the table, with its rows, if it is not there; on PostgreSQL does nothing.
   *
   * @throws IllegalStateException when the connection is in a transaction: many databases would
   *     commit that
   */
  public void createTable() throws SQLException {
    if (!connection.getAutoCommit()) {
      throw new IllegalStateException(
          "to create "
              + table
              + " would commit the transaction on some databases; hand in a connection in"
              + " autocommit mode");
    }
    TransactionGate.of(connection, table).create(connection);
  }

  /**
   * Takes the lock; blocks for up to the wait, and for the trips to the database.
   *
   * @throws LockTimeoutException when another transaction had it all the while; this transaction is
   *     as it was
   * @throws InterruptedException when interrupted while waiting; this transaction is as it was
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
              + wait
              + " that this one waited: roll back, and try again later",
          null);
    }
  }

  /** Takes the lock if nobody has it; never waits. Throws as {@link #acquire} does. */
  public boolean tryAcquire(String name) throws SQLException {
    LockName lock = LockName.ofTransaction(new Resource(namespace, name));
    TransactionGate gate = requireGate(name);
    return gate.take(connection, lock) || isTaken(gate, lock);
  }

  /**
   * Takes the lock if it can be had within the wait; blocks for up to that. Throws as {@link
   * #acquire} does, but for the timeout, which it answers.
   *
   * @return false when another transaction had it all the while
   */
  public boolean tryAcquire(String name, Duration wait) throws SQLException, InterruptedException {
    LockName lock = LockName.ofTransaction(new Resource(namespace, name));
    TransactionGate gate = requireGate(name);
    long start = System.nanoTime();
    long most = FIRST_PAUSE_NANOS;
    while (!gate.take(connection, lock)) {
      Duration left = wait.minusNanos(System.nanoTime() - start);
      if (left.isNegative() || left.isZero()) {
        return isTaken(gate, lock);
      }
      long pause = ThreadLocalRandom.current().nextLong(most / 2, most);
      TimeUnit.NANOSECONDS.sleep(
          left.compareTo(Duration.ofNanos(pause)) < 0 ? left.toNanos() : pause);
      most = Math.min(2 * most, LONGEST_PAUSE_NANOS);
    }
    return true;
  }

  private TransactionGate requireGate(String name) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the connection is in autocommit mode: the lock of "
              + new Resource(namespace, name)
              + " would end with its own statement and protect nothing; call"
              + " setAutoCommit(false), lock, read and write, and commit");
    }
    return TransactionGate.of(connection, table);
  }

  /** Asked after a no: a row that is not there would be a no for ever. */
  private boolean isTaken(TransactionGate gate, LockName lock) throws SQLException {
    gate.requireThere(connection, lock);
    return false;
  }
}
