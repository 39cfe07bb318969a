package io.holdfast.jdbc.connection;

import io.holdfast.spi.EngineException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The connection of the first lane, opened before there is a lane. Thread-safe.
 *
 * <p>The server that it finds decides what the engine can promise.
 */
public final class FirstConnection implements AutoCloseable {

  private final JdbcStore store;
  private final AtomicReference<@Nullable SqlRunner> open = new AtomicReference<>();
  private final CountDownLatch heard = new CountDownLatch(1);
  private volatile boolean pooled;
  private volatile boolean closed;

  /** Creates it without a connection. */
  public FirstConnection(JdbcStore store) {
    this.store = store;
  }

  /**
   * Connects, and waits for up to one operation timeout. A database that is down is no failure:
   * then nothing is known.
   */
  public void open() {
    // On a thread of its own: a pool may block for longer, and an interrupt must not be swallowed.
    Thread thread = new Thread(this::connect, "holdfast-jdbc-first");
    thread.setDaemon(true);
    thread.start();
    try {
      boolean ignored = heard.await(store.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void connect() {
    SqlRunner runner = new SqlRunner(store);
    try {
      pooled = runner.connect().isPooled();
      open.set(runner);
      if (closed) {
        close();
      }
    } catch (EngineException | RuntimeException e) {
      // The lanes will report what is wrong.
      runner.close();
    } finally {
      heard.countDown();
    }
  }

  /**
   * Returns whether a pooler was seen that may give every transaction another session of the
   * server.
   */
  public boolean isPooled() {
    return pooled;
  }

  /**
   * Returns a runner for a lane: at the first call the one whose connection is already open, if
   * any.
   */
  public SqlRunner runner() {
    SqlRunner first = open.getAndSet(null);
    return first == null ? new SqlRunner(store) : first;
  }

  /** Closes the connection if no lane has taken it. */
  @Override
  public void close() {
    closed = true;
    SqlRunner unused = open.getAndSet(null);
    if (unused != null) {
      unused.close();
    }
  }
}
