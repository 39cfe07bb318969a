package io.holdfast.jdbc.wire;

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
 * Opens links, on threads of its own, so that connecting may take longer than an operation. A
 * caller waits for a part of the operation timeout; what it began goes on without it, and the next
 * caller gets the connection. Otherwise a busy machine, on which every connection takes longer than
 * an operation may, would begin again and again and never have one. Safe for several threads.
 */
public final class Links implements AutoCloseable {

  /** So long a link that nobody has taken is thought to live. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A link that nobody has taken yet. */
  private record Spare(Link link, long since) {}

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
   * Links to a database.
   *
   * @param address without secrets
   * @param timeout of an operation: a caller waits for less, so that it can say why
   */
  public Links(Connector connector, Dialect dialect, String address, Duration timeout) {
    this.connector = connector;
    this.dialect = dialect;
    this.address = address;
    this.timeout = timeout;
    this.patienceNanos = timeout.toNanos() * 3 / 4;
  }

  /**
   * A link that nobody else has.
   *
   * @throws EngineException.Refused when there will never be one
   */
  Link open() throws SQLException, EngineException.Refused {
    lock.lock();
    wanting++;
    try {
      long left = patienceNanos;
      while (left > 0) {
        Link open = takeReady();
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
        // What nobody has asked about is old news to who comes next.
        failures.clear();
      }
      lock.unlock();
    }
  }

  private @Nullable Link takeReady() {
    for (Spare spare = ready.poll(); spare != null; spare = ready.poll()) {
      if (System.nanoTime() - spare.since < FRESH_NANOS) {
        return spare.link;
      }
      spare.link.close();
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

  /** One for each that wants one; those that have taken long may hang, and are not counted. */
  private void startIfNeeded() throws SQLException {
    Long now = System.nanoTime();
    long young = pending.stream().filter(start -> now - start < 3 * patienceNanos).count();
    if (young < wanting && !closed) {
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
    Link open = null;
    Exception failure = null;
    try {
      Connection fresh = requireIdle(connector.connect());
      open = Link.over(fresh, dialect, connector.lends(), timeout);
    } catch (SQLException | EngineException.Refused | RuntimeException e) {
      failure = e;
    } catch (LinkageError e) {
      failure = new SQLException("the driver cannot be used: " + e, e);
    }
    boolean unwanted;
    lock.lock();
    try {
      pending.remove(started);
      // One that is lent is somebody else's if nobody waits for it.
      unwanted = open != null && (closed || (wanting == 0 && connector.lends()));
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

  /** A connection that is in a transaction already belongs to somebody else's work. */
  private Connection requireIdle(Connection fresh) throws SQLException, EngineException.Refused {
    if (fresh.getAutoCommit()) {
      return fresh;
    }
    fresh.close();
    throw new EngineException.Refused(
        "the data source of "
            + address
            + " hands out connections that are not in autocommit: hand in one that is not"
            + " transaction-aware, with autocommit on");
  }

  /** Closes what nobody has taken yet, and what comes later. */
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
    unused.forEach(spare -> spare.link.close());
  }
}
