package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.support.RetryDelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements and transactions on a connection that is replaced when it breaks.
 *
 * <p>Work that the database rolled back is run again while time remains.
 */
public final class SqlRunner implements AutoCloseable {

  /** Work to run, repeatedly if the database rolls it back. */
  @FunctionalInterface
  public interface Work<T> {

    /** Runs on a connection; if it throws, it is rolled back. */
    T run(JdbcConnection link) throws SQLException;
  }

  /** Between tries: longer each time, and with jitter, so that rivals do not meet again. */
  private static final RetryDelay DELAY =
      new RetryDelay(
          Duration.ofNanos(500_000),
          Duration.ofMillis(32),
          () -> ThreadLocalRandom.current().nextDouble());

  private final JdbcStore store;
  private volatile @Nullable JdbcConnection link;
  private volatile boolean closed;

  /** Creates a runner without a connection yet. */
  public SqlRunner(JdbcStore store) {
    this.store = store;
  }

  /** Opens the connection, unless a working one is open. */
  public JdbcConnection connect() throws EngineException {
    JdbcConnection open = link;
    if (open != null && !open.isBroken()) {
      return open;
    }
    if (open != null) {
      open.close();
    }
    if (closed) {
      throw new Refusals(store.errors().address()).closed();
    }
    try {
      open = store.opener().open();
    } catch (SQLException e) {
      throw lentNone(e);
    }
    link = open;
    if (closed) {
      open.close();
    }
    return open;
  }

  /**
   * Checks that a source does not hand out one connection twice, as transaction-aware sources do.
   * Opens a second connection and gives it back.
   *
   * @throws EngineException.Refused when it does
   */
  public void requireOwn() throws EngineException {
    JdbcConnection mine = connect();
    if (!store.connector().isCallerSupplied()
        || mine.isPooled()
        || store.dialect().sessionNumber().isEmpty()) {
      return;
    }
    try (Connection second = store.connector().connect()) {
      if (session(second) == session(mine.connection())) {
        throw new EngineException.Refused(
            "the data source of "
                + store.errors().address()
                + " returns one connection twice: use one that is not transaction-aware");
      }
    } catch (SQLException e) {
      throw lentNone(e);
    }
  }

  /**
   * Checks that the driver does not replay transactions: it would repeat the writes without the
   * decision that led to them.
   *
   * @throws EngineException.Refused when it does
   */
  public void requireNoReplay() throws EngineException {
    try {
      if (TransactionReplay.isOn(connect().connection())) {
        throw new EngineException.Refused(
            "the driver repeats transactions on another connection at "
                + store.errors().address()
                + ", and would write over what others have taken meanwhile: connect without "
                + TransactionReplay.OPTION);
      }
    } catch (SQLException e) {
      throw store.errors().failure(e);
    }
  }

  private long session(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select " + store.dialect().sessionNumber())) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private EngineException lentNone(SQLException e) {
    return store.connector().isCallerSupplied() && store.dialect().errorKind(e) == ErrorKind.LOST
        ? new EngineException.NotDone(
            "the data source gave no connection to "
                + store.errors().address()
                + ": it must have one to spare for every lane, one for the reserved lane, and one"
                + " more; it said: "
                + e.getMessage(),
            e)
        : store.errors().failure(e);
  }

  /**
   * Runs work as one transaction.
   *
   * @throws EngineException.NotDone when it was surely not executed
   * @throws EngineException.Unknown when the commit was sent and got no reply
   */
  public <T> T transaction(Work<T> work) throws EngineException {
    return repeat(work, true);
  }

  /** Runs work that is one statement, committed by itself. */
  public <T> T statement(Work<T> work) throws EngineException {
    return repeat(work, false);
  }

  private <T> T repeat(Work<T> work, boolean transaction) throws EngineException {
    long start = store.nanoTime().getAsLong();
    for (int tries = 0; ; tries++) {
      JdbcConnection open = connect();
      open.working(true);
      try {
        return transaction ? committed(open, work) : work.run(open);
      } catch (CommitFailed e) {
        tidy(open, e.cause, true);
        throw store.errors().doubt(e.cause);
      } catch (SQLException thrown) {
        SQLException e = open.explain(thrown);
        ErrorKind errorKind = tidy(open, e, transaction);
        boolean late = store.nanoTime().getAsLong() - start > store.timeout().toNanos() / 2;
        if (errorKind != ErrorKind.AGAIN || late || closed) {
          throw transaction ? store.errors().failure(e) : store.errors().doubt(e);
        }
      } catch (RuntimeException e) {
        // How far it got is unknown; the server rolls it back when the connection ends.
        open.markBroken();
        throw e;
      } finally {
        open.working(false);
      }
      store.retries().increment();
      LockSupport.parkNanos(DELAY.nanosAfter(tries + 1));
    }
  }

  private <T> T committed(JdbcConnection open, Work<T> work) throws SQLException {
    open.begin();
    T answer = work.run(open);
    try {
      open.commit();
    } catch (SQLException thrown) {
      SQLException e = open.explain(thrown);
      if (store.dialect().errorKind(e) == ErrorKind.LOST) {
        throw new CommitFailed(e);
      }
      throw e;
    }
    return answer;
  }

  /** The commit was sent and got no reply. */
  private static final class CommitFailed extends SQLException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // It never leaves this class.
    final SQLException cause;

    CommitFailed(SQLException cause) {
      super(cause);
      this.cause = cause;
    }
  }

  private ErrorKind tidy(JdbcConnection open, SQLException e, boolean transaction) {
    ErrorKind errorKind = store.dialect().errorKind(e);
    if (errorKind == ErrorKind.LOST || errorKind == ErrorKind.READ_ONLY) {
      open.markBroken();
    } else if (transaction) {
      open.rollback();
    }
    return errorKind;
  }

  /** Returns whether it has been closed. */
  public boolean isClosed() {
    return closed;
  }

  /** May come from another thread, to break off what takes too long. */
  @Override
  public void close() {
    closed = true;
    JdbcConnection open = link;
    if (open != null) {
      open.close();
    }
  }
}
