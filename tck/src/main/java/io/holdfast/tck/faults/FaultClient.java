package io.holdfast.tck.faults;

import io.holdfast.spi.Order;
import java.time.Duration;

/**
 * A client that a scenario can kill, freeze, suspend and cut off.
 *
 * <p>Best is a process of its own, which really dies; {@link LocalFaultClient} is one inside the
 * test's JVM. A client supports the {@linkplain ClientSpec#abilities() abilities} that were asked
 * for; the other methods may throw {@link UnsupportedOperationException}. May be used by several
 * threads.
 */
public interface FaultClient extends AutoCloseable {

  /** Begins to acquire a mutex; returns at once. */
  FaultClaim acquire(String name, Order order, Duration wait);

  /** Ends the client without a farewell, as {@code kill -9}; the store learns nothing. */
  void kill();

  /** Stops the client where it is, as {@code SIGSTOP}; clocks go on. */
  void freeze();

  /** Stops the client as a suspended host: meanwhile its monotonic clock stands still. */
  void suspend();

  /** Ends {@link #freeze()} or {@link #suspend()}. */
  void resume();

  /** Breaks the network between the client and its store. */
  void cut(Cut how);

  /** Repairs the network. */
  void heal();

  /** Steps the client's wall clock forward, or back if negative. */
  void stepClock(Duration by);

  /** Ends the client; whatever fault is in force is taken back first. */
  @Override
  void close();
}
