package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections on threads of its own, so connecting may outlast an operation. Thread-safe.
 *
 * <p>A caller waits for a part of the operation timeout; then connecting continues without it, and
 * the next caller gets the connection. Otherwise a busy machine, on which every connection takes
 * longer than an operation may, would never get one.
 */
public final class ConnectionOpener implements AutoCloseable {

  /** How long an unused connection is assumed to live. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * How many may be connecting at once, including hanging ones. More than a client keeps in the
   * mode table; a client that wants more gets them one after the other.
   */
  static final int MOST_CONNECTING = 16;

  /**
   * If all of them have hung for this many times the time that a caller waits, one more is started:
   * a driver or a data source may hang for ever, although the database is back. The time doubles
   * with each of these, so that there are fewer than 20 of them in a year, and the first one after
   * the database is back comes after at most about as long as the outage has lasted.
   */
  static final int STUCK = 20;

  private static final int MOST_DOUBLINGS = 20;

  /** A connection that was not taken yet. */
  private record Spare(JdbcConnection connection, long since) {}

  private final Connector connector;
  private final Dialect dialect;
  private final String address;
  private final Duration timeout;
  private final long patienceNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Spare> ready = new ArrayDeque<>();
  private final Deque<Exception> failures = new ArrayDeque<>();
  private final List<Long> pending = new ArrayList<>();
  private int wanting;
  private boolean closed;

  /**
   * Connections to a database.
   *
   * @param address without secrets
   * @param timeout of an operation: a caller waits for less, so that it can report why
   */
  public ConnectionOpener(Connector connector, Dialect dialect, String address, Duration timeout) {
    this.connector = connector;
    this.dialect = dialect;
    this.address = address;
    this.timeout = timeout;
    this.patienceNanos = timeout.toNanos() * 3 / 4;
  }

  /**
   * Returns a connection for the caller alone.
   *
   * @throws EngineException.Refused when a connection is impossible
   */
  JdbcConnection open() throws SQLException, EngineException.Refused {
    lock.lock();
    wanting++;
    try {
      long left = patienceNanos;
      while (left > 0) {
        JdbcConnection open = takeReady();
        if (open != null) {
          return open;
        }
        rethrow(failures.poll());
        startIfNeeded();
        left = changed.awaitNanos(left);
      }
      throw new SQLTransientConnectionException(
          "none within "
              + TimeUnit.NANOSECONDS.toMillis(patienceNanos)
              + " ms; connecting goes on, so try again",
          "08001");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted while connecting", "08001", e);
    } finally {
      wanting--;
      if (wanting == 0) {
        // Old failures say nothing to the next caller.
        failures.clear();
      }
      lock.unlock();
    }
  }

  private @Nullable JdbcConnection takeReady() {
    for (Spare spare = ready.poll(); spare != null; spare = ready.poll()) {
      if (System.nanoTime() - spare.since < FRESH_NANOS) {
        return spare.connection;
      }
      spare.connection.close();
    }
    return null;
  }

  private static void rethrow(@Nullable Exception failure)
      throws SQLException, EngineException.Refused {
    if (failure instanceof SQLException e) {
      throw e;
    } else if (failure instanceof EngineException.Refused e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    }
  }

  /**
   * Returns whether to start another one: there is one for each waiting caller. Attempts that have
   * taken long may hang and do not count. They still have their threads, so their number is
   * limited: a database that hangs would otherwise get one more thread with every try. Beyond the
   * limit it gets one now and then.
   *
   * @param pending when each attempt that is under way began
   * @param wanting how many callers wait
   */
  static boolean mayStart(List<Long> pending, long now, int wanting, long patienceNanos) {
    long young = pending.stream().filter(start -> now - start < 3 * patienceNanos).count();
    int beyond = Math.max(0, pending.size() - MOST_CONNECTING);
    long stuckNanos = ((long) STUCK << Math.min(beyond, MOST_DOUBLINGS)) * patienceNanos;
    boolean allStuck = pending.stream().allMatch(start -> now - start > stuckNanos);
    return young < wanting && (pending.size() < MOST_CONNECTING || allStuck);
  }

  private void startIfNeeded() throws SQLException {
    Long now = System.nanoTime();
    if (!closed && mayStart(pending, now, wanting, patienceNanos)) {
      Thread thread = new Thread(() -> run(now), "holdfast-jdbc-connect");
      thread.setDaemon(true);
      pending.add(now);
      try {
        thread.start();
      } catch (OutOfMemoryError e) {
        pending.remove(now);
        throw new SQLTransientConnectionException("no thread to connect on", "08001", e);
      }
    }
  }

  private void run(Long started) {
    JdbcConnection open = null;
    Exception failure = null;
    try {
      Connection fresh = requireIdle(connector.connect());
      open = JdbcConnection.over(fresh, dialect, connector.isCallerSupplied(), timeout);
    } catch (SQLException | EngineException.Refused | RuntimeException e) {
      failure = e;
    } catch (LinkageError e) {
      failure = new SQLException("the driver cannot be used: " + e, e);
    }
    boolean unwanted;
    lock.lock();
    try {
      pending.remove(started);
      // A caller-supplied connection goes back if no caller waits for it.
      unwanted = open != null && (closed || (wanting == 0 && connector.isCallerSupplied()));
      if (open != null && !unwanted) {
        ready.add(new Spare(open, System.nanoTime()));
      } else if (failure != null && wanting > 0) {
        failures.add(failure);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (unwanted && open != null) {
      open.close();
    }
  }

  /** Rejects a connection that is already in a transaction, which belongs to other work. */
  private Connection requireIdle(Connection fresh) throws SQLException, EngineException.Refused {
    if (fresh.getAutoCommit()) {
      return fresh;
    }
    fresh.close();
    throw new EngineException.Refused(
        "the data source of "
            + address
            + " returns connections that are not in autocommit mode: use one that is not"
            + " transaction-aware, with autocommit on");
  }

  /** Closes unused connections, and connections that are opened later. */
  @Override
  public void close() {
    List<Spare> unused;
    lock.lock();
    try {
      closed = true;
      unused = List.copyOf(ready);
      ready.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    unused.forEach(spare -> spare.connection.close());
  }
}
