package io.holdfast.jdbc;

import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The connection of the first lane, opened before there is a lane: what stands at the other end
 * decides what the engine can promise. Safe for several threads.
 */
final class FirstConnection implements AutoCloseable {

  private final Runner.Store store;
  private final AtomicReference<@Nullable Runner> open = new AtomicReference<>();
  private final CountDownLatch heard = new CountDownLatch(1);
  private volatile boolean pooled;
  private volatile boolean closed;

  /** One that is not opened ahead. */
  FirstConnection(Runner.Store store) {
    this.store = store;
  }

  /**
   * Connects, and waits for that for as long as an operation may take. A database that is not up is
   * no failure: then nothing is known.
   */
  void open() {
    // A pool may keep whoever asks for longer than that, and an interrupt is not ours to eat.
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
    Runner runner = new Runner(store);
    try {
      pooled = runner.connect().isPooled();
      open.set(runner);
      if (closed) {
        close();
      }
    } catch (EngineException | RuntimeException e) {
      // The lanes will say what is wrong.
      runner.close();
    } finally {
      heard.countDown();
    }
  }

  /** Whether a pooler was seen that gives every transaction another session of the server. */
  boolean isPooled() {
    return pooled;
  }

  /** A runner for a lane: at the first call the one whose connection is open already, if it is. */
  Runner runner() {
    Runner first = open.getAndSet(null);
    return first == null ? new Runner(store) : first;
  }

  /** Closes the connection if no lane has it. */
  @Override
  public void close() {
    closed = true;
    Runner unused = open.getAndSet(null);
    if (unused != null) {
      unused.close();
    }
  }
}
