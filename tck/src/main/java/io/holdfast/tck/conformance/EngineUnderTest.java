package io.holdfast.tck.conformance;

import io.holdfast.spi.LockEngine;
import io.holdfast.tck.ManualTime;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The store of a test of the {@linkplain EngineConformanceKit kit}: how to connect, how to kill.
 *
 * <p>The kit uses unique names, so one store can serve many tests.
 */
@FunctionalInterface
public interface EngineUnderTest extends AutoCloseable {

  /** Connects one more client to the same store. The kit closes the engine. */
  LockEngine connect() throws Exception;

  /**
   * Returns the manual time of the store. If it is empty, the kit waits in real time and uses the
   * shortest leases.
   */
  default Optional<ManualTime> time() {
    return Optional.empty();
  }

  /**
   * Returns for how many leases at most a waiter stays in line whose client is alive but does not
   * repeat its attempt. That is one lease, unless the store keeps waiters with their client; the
   * waiters of a dead client disappear within one lease in any case.
   */
  default int silentWaiterLeases() {
    return 1;
  }

  /**
   * Kills a client: from now on the store receives nothing from it. The kit does not use the engine
   * any more. If verbs keep leases alive, there is nothing to do; if a session is kept alive in the
   * background, end it here without closing it.
   */
  default void kill(LockEngine engine) {}

  /** Closes the store after the test; the engines are already closed. */
  @Override
  default void close() {}

  /** Returns a store in manual time. */
  static EngineUnderTest in(ManualTime time, Callable<? extends LockEngine> connect) {
    return new EngineUnderTest() {
      @Override
      public LockEngine connect() throws Exception {
        return connect.call();
      }

      @Override
      public Optional<ManualTime> time() {
        return Optional.of(time);
      }
    };
  }
}
