package io.holdfast.jdbc.wire;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.Trouble;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs what one lane wants of the database, on a connection that it opens when there is none and
 * replaces when it broke. What the database rolled back is run again while time remains.
 */
public final class Runner implements AutoCloseable {

  /** What is run: once, or several times if the database rolls it back. */
  @FunctionalInterface
  public interface Work<T> {

    /** Runs on a link; what it throws is rolled back. */
    T run(Link link) throws SQLException;
  }

  /** What is known about a database and shared by all lanes. */
  public record Store(
      Connector connector,
      Dialect dialect,
      Words words,
      Duration timeout,
      LongSupplier nanoTime,
      LongAdder retries,
      Links links) {

    /** A store that nobody has connected to yet. */
    public Store(
        Connector connector,
        Dialect dialect,
        Words words,
        Duration timeout,
        LongSupplier nanoTime,
        LongAdder retries) {
      this(
          connector,
          dialect,
          words,
          timeout,
          nanoTime,
          retries,
          new Links(connector, dialect, words.address(), timeout));
    }
  }

  private static final long FIRST_PAUSE_NANOS = 500_000;
  private static final int MOST_DOUBLINGS = 6;

  private final Store store;
  private volatile @Nullable Link link;
  private volatile boolean closed;

  /** A runner that has no connection yet. */
  public Runner(Store store) {
    this.store = store;
  }

  /** Opens the connection, if there is none that works. */
  public Link connect() throws EngineException {
    Link open = link;
    if (open != null && !open.isBroken()) {
      return open;
    }
    if (open != null) {
      open.close();
    }
    if (closed) {
      throw new Refusals(store.words.address()).closed();
    }
    try {
      open = store.links.open();
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
   * Makes sure that a source does not lend one connection twice, as those do that belong to the
   * transaction of the calling thread. Asks it for a second one, and gives that back.
   *
   * @throws EngineException.Refused when it does
   */
  public void requireOwn() throws EngineException {
    Link mine = connect();
    if (!store.connector.lends() || mine.isPooled() || store.dialect.session().isEmpty()) {
      return;
    }
    try (Connection second = store.connector.connect()) {
      if (session(second) == session(mine.connection())) {
        throw new EngineException.Refused(
            "the data source of "
                + store.words.address()
                + " hands out one connection twice: hand in one that is not transaction-aware");
      }
    } catch (SQLException e) {
      throw lentNone(e);
    }
  }

  /**
   * Makes sure that the driver does not repeat transactions by itself: of one that reads, decides
   * and writes it would repeat the writing without the deciding.
   *
   * @throws EngineException.Refused when it does
   */
  public void requireNoReplay() throws EngineException {
    try {
      if (Replay.isOn(connect().connection())) {
        throw new EngineException.Refused(
            "the driver repeats transactions on another connection at "
                + store.words.address()
                + ", and would write over what others have taken meanwhile: connect without "
                + Replay.OPTION);
      }
    } catch (SQLException e) {
      throw store.words.failure(e);
    }
  }

  private long session(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(store.dialect.session())) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private EngineException lentNone(SQLException e) {
    return store.connector.lends() && store.dialect.trouble(e) == Trouble.LOST
        ? new EngineException.NotDone(
            "the data source gave no connection to "
                + store.words.address()
                + ": it must have one to spare for every lane, one for the reserved lane, and one"
                + " more; it said: "
                + e.getMessage(),
            e)
        : store.words.failure(e);
  }

  /**
   * Runs work as one transaction.
   *
   * @throws EngineException.NotDone surely not executed
   * @throws EngineException.Unknown the commit was sent and not answered
   */
  public <T> T transaction(Work<T> work) throws EngineException {
    return repeat(work, true);
  }

  /** Runs work that is one statement, committed by itself. */
  public <T> T statement(Work<T> work) throws EngineException {
    return repeat(work, false);
  }

  private <T> T repeat(Work<T> work, boolean transaction) throws EngineException {
    long start = store.nanoTime.getAsLong();
    for (int tries = 0; ; tries++) {
      Link open = connect();
      open.working(true);
      try {
        return transaction ? committed(open, work) : work.run(open);
      } catch (CommitFailed e) {
        tidy(open, e.cause, true);
        throw store.words.doubt(e.cause);
      } catch (SQLException thrown) {
        SQLException e = open.explain(thrown);
        Trouble trouble = tidy(open, e, transaction);
        boolean late = store.nanoTime.getAsLong() - start > store.timeout.toNanos() / 2;
        if (trouble != Trouble.AGAIN || late || closed) {
          throw transaction ? store.words.failure(e) : store.words.doubt(e);
        }
      } catch (RuntimeException e) {
        // Nobody knows how far it came; the server undoes it when the connection goes.
        open.wornOut();
        throw e;
      } finally {
        open.working(false);
      }
      store.retries.increment();
      pause(tries);
    }
  }

  private <T> T committed(Link open, Work<T> work) throws SQLException {
    open.begin();
    T answer = work.run(open);
    try {
      open.commit();
    } catch (SQLException thrown) {
      SQLException e = open.explain(thrown);
      if (store.dialect.trouble(e) == Trouble.LOST) {
        throw new CommitFailed(e);
      }
      throw e;
    }
    return answer;
  }

  /** The commit was sent, and there was no answer. */
  private static final class CommitFailed extends SQLException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // It never leaves this class.
    final SQLException cause;

    CommitFailed(SQLException cause) {
      super(cause);
      this.cause = cause;
    }
  }

  private Trouble tidy(Link open, SQLException e, boolean transaction) {
    Trouble trouble = store.dialect.trouble(e);
    if (trouble == Trouble.LOST || trouble == Trouble.READ_ONLY) {
      open.wornOut();
    } else if (transaction) {
      open.rollback();
    }
    return trouble;
  }

  /** Longer each time, and never the same as that of whom we met. */
  private static void pause(int tries) {
    long most = FIRST_PAUSE_NANOS << Math.min(tries, MOST_DOUBLINGS);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most / 2, most));
  }

  /** Whether it has been closed. */
  public boolean isClosed() {
    return closed;
  }

  /** May come from another thread, to break off what takes too long. */
  @Override
  public void close() {
    closed = true;
    Link open = link;
    if (open != null) {
      open.close();
    }
  }
}
