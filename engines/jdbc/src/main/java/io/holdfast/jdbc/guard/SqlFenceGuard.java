package io.holdfast.jdbc.guard;

import io.holdfast.FenceGuard;
import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.support.GuardSteps;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The fence guard for data in a SQL database: PostgreSQL, MariaDB, MySQL, H2 or SQLite.
 *
 * <p>It keeps one row per resource in the table {@code holdfast_fence}, in the same database as the
 * data.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * guard.claim(connection, hold); // first: before anything is read
 * …                              // read and write
 * connection.commit();
 * }</pre>
 *
 * <p><b>In your transaction.</b> {@link #claim(Connection, Hold)} and {@link #admit(Connection,
 * Hold)} belong to the transaction that the connection is in. They lock the row of the resource
 * until it ends, so guarded transactions run one after another: a late one commits before the next
 * claim, or is refused. They must be its first statement, because data that was read before may be
 * older than the claim. They never commit, roll back, or change the mode of the connection. After a
 * {@link StaleTokenException} roll back.
 *
 * <p><b>Isolation.</b> No level lets an overtaken holder commit; they differ in what waiting ends
 * with.
 *
 * <ul>
 *   <li>READ COMMITTED: a claim that had to wait is compared with what was committed meanwhile.
 *   <li>REPEATABLE READ and SERIALIZABLE: the same on MariaDB and MySQL, unless the transaction has
 *       read before. On PostgreSQL and H2 a claim that waited for another claim, which was then
 *       committed, fails with the database's own error (SQLSTATE 40001, of H2 also 90131): roll
 *       back and begin again.
 *   <li>On MariaDB and MySQL, when the first claim ever of a resource is rolled back while several
 *       others wait for it, all but one of these fail with a deadlock, at any level.
 *   <li>SQLite has one level. A claim takes the whole database for writing, and waits for it as
 *       long as the connection's busy timeout; then its own error, SQLITE_BUSY.
 * </ul>
 *
 * <p><b>In a transaction of its own.</b> The methods of {@link FenceGuard} commit their claim at
 * once: earlier holders are fenced off from then on. They do not protect later writes: claim again,
 * in the transaction that writes.
 *
 * <p><b>Rights.</b> SELECT, INSERT and UPDATE on the table. Rows are never deleted: that would let
 * old holders in. Thread-safe; each thread needs a connection of its own.
 */
public final class SqlFenceGuard implements FenceGuard {

  private static final String TABLE = "holdfast_fence";
  private static final String NAMESPACE = "default";

  /** For transactions of its own; more than the losers of one deadlock need. */
  private static final int ATTEMPTS = 3;

  private final DataSource source;
  private final String table;
  private final String namespace;

  private SqlFenceGuard(DataSource source, String table, String namespace) {
    this.source = source;
    this.table = table;
    this.namespace = namespace;
  }

  /** Returns a guard over the database of the data. Does not connect yet. */
  public static SqlFenceGuard over(DataSource source) {
    return new SqlFenceGuard(source, TABLE, NAMESPACE);
  }

  /**
   * Returns a guard over the database of an address, such as that of the locks: with its parameters
   * {@code holdfast.table} ({@code PREFIX} makes the table {@code PREFIXfence}) and {@code
   * holdfast.namespace}; the others of {@code holdfast.} are the engine's. Each claim opens a
   * connection of its own: for frequent claims use a pool. Does not connect yet.
   *
   * @throws IllegalArgumentException when the address is not understood; the message has no secrets
   */
  public static SqlFenceGuard connect(String address) {
    return GuardAddress.parse(address).guard();
  }

  /** Returns a copy for resources of another namespace: that of the locks. */
  @Override
  public SqlFenceGuard inNamespace(String other) {
    return new SqlFenceGuard(source, table, Resource.requireNamespace(other));
  }

  /**
   * Returns a copy with another table, such as {@code app.holdfast_fence}. All guards of the same
   * data must use the same table.
   *
   * @throws IllegalArgumentException when it is not a plain name, with or without a schema
   */
  public SqlFenceGuard withTable(String other) {
    return new SqlFenceGuard(source, SqlName.table(other), namespace);
  }

  /** Creates the table if it is missing, which needs the right to create tables. */
  public void createTable() throws SQLException {
    try (Connection connection = source.getConnection()) {
      boolean before = connection.getAutoCommit();
      connection.setAutoCommit(true);
      try {
        createTable(connection);
      } finally {
        connection.setAutoCommit(before);
      }
    }
  }

  /**
   * Creates the table if it is missing, over a connection in autocommit mode.
   *
   * @throws IllegalStateException when it is in a transaction: many databases would commit that
   */
  public void createTable(Connection connection) throws SQLException {
    SqlStatements.requireAutoCommit(connection, table);
    try {
      SqlStatements.run(connection, definition(connection));
    } catch (SQLException e) {
      if (!isThere(connection)) {
        throw e;
      }
      // Two clients at once: PostgreSQL refuses one of them, IF NOT EXISTS or not.
    }
  }

  /** Returns the statement of {@link #createTable()}, to be run by hand. */
  public String definition(Connection connection) throws SQLException {
    return FenceTable.of(connection, table).definition();
  }

  private boolean isThere(Connection connection) {
    try {
      SqlStatements.run(connection, "SELECT token FROM " + table + " WHERE 1 = 0");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Claims as the exclusive holder, in the namespace of the hold, whatever namespace this guard is
   * for; see {@link #claim(Connection, String, long, String)}.
   */
  public void claim(Connection connection, Hold hold) throws SQLException {
    inNamespace(hold.namespace()).claim(connection, hold.name(), hold.token(), hold.id());
  }

  /**
   * Claims in the transaction of the connection, as its first statement. Blocks while another
   * guarded transaction of the resource is open, for as long as the database allows.
   *
   * @throws StaleTokenException when a later holder, or another holder with the same token, has
   *     claimed; roll back
   * @throws IllegalStateException when the connection is in autocommit mode
   * @throws LockRefusedException when the table is missing; the message has its definition
   * @throws SQLException as the driver throws it, even when another transaction was in the way
   */
  public void claim(Connection connection, String resource, long token, String holdId)
      throws SQLException {
    FenceClaim claim = new FenceClaim(new Resource(namespace, resource), token, holdId);
    FenceRecord stands = ask(connection, claim, (fence, on) -> fence.claim(on, claim));
    if (!stands.isOf(token, holdId)) {
      throw new StaleTokenException(resource, token, stands.token());
    }
  }

  /**
   * Admits one of several holders, in the namespace of the hold, whatever namespace this guard is
   * for; see {@link #admit(Connection, String, long, String)}.
   */
  public void admit(Connection connection, Hold hold) throws SQLException {
    inNamespace(hold.namespace()).admit(connection, hold.name(), hold.token(), hold.id());
  }

  /**
   * Admits a shared holder in the transaction of the connection, as its first statement. A claim
   * waits until the transaction ends; other sharers do not, except on H2, where they take turns,
   * and at the first use of a resource. Otherwise as {@link #claim(Connection, String, long,
   * String)}.
   */
  public void admit(Connection connection, String resource, long token, String holdId)
      throws SQLException {
    FenceClaim claim = new FenceClaim(new Resource(namespace, resource), token, holdId);
    FenceRecord stands = ask(connection, claim, (fence, on) -> fence.admit(on, claim));
    if (!stands.letsIn(token, holdId)) {
      throw new StaleTokenException(resource, token, stands.token());
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>In a transaction of its own.
   *
   * @throws StoreUnavailableException when the database did not do it; claim again
   * @throws LockRefusedException when the table or a right is missing
   */
  @Override
  public void claim(String resource, long token, String holdId) {
    alone(resource, on -> claim(on, resource, token, holdId));
  }

  /**
   * {@inheritDoc}
   *
   * <p>In a transaction of its own.
   *
   * @throws StoreUnavailableException when the database did not do it; ask again
   * @throws LockRefusedException when the table or a right is missing
   */
  @Override
  public void admit(String resource, long token, String holdId) {
    alone(resource, on -> admit(on, resource, token, holdId));
  }

  @FunctionalInterface
  private interface Question {
    FenceRecord ask(FenceTable fence, Connection connection) throws SQLException;
  }

  @FunctionalInterface
  private interface Step {
    void on(Connection connection) throws SQLException;
  }

  /**
   * Runs a step in a transaction. Returns false when another transaction was in the way; at the
   * last attempt, throws instead.
   */
  private boolean tryStep(Step step, boolean last) throws SQLException {
    try {
      return SqlStatements.inTransaction(
          source,
          connection -> {
            step.on(connection);
            return true;
          });
    } catch (SQLException e) {
      if (last || !SqlErrors.isConflict(e)) {
        throw e;
      }
      return false;
    }
  }

  private FenceRecord ask(Connection connection, FenceClaim claim, Question question)
      throws SQLException {
    SqlStatements.requireTransaction(connection, "claim", claim.resource());
    FenceTable fence = FenceTable.of(connection, table);
    try {
      return question.ask(fence, connection);
    } catch (SQLException e) {
      if (SqlErrors.isMissingTable(e)) {
        throw new LockRefusedException(missing(claim, fence), e);
      }
      throw e;
    }
  }

  private String missing(FenceClaim claim, FenceTable fence) {
    return "the guard of "
        + claim.resource()
        + " has no table "
        + table
        + " in this database, so nothing may be written; call createTable() or run: "
        + fence.definition();
  }

  private void alone(String resource, Step step) {
    GuardSteps.check(
        resource,
        () -> {
          try {
            boolean done = false;
            for (int attempt = 1; !done; attempt++) {
              done = tryStep(step, attempt == ATTEMPTS);
            }
          } catch (SQLException e) {
            String what = table + ": " + e.getMessage();
            throw SqlErrors.isRefusal(e)
                ? new EngineException.Refused(what, e)
                : new EngineException.Unknown(what, e);
          }
        });
  }
}
