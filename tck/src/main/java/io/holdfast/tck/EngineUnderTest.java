package io.holdfast.tck;

import io.holdfast.spi.LockEngine;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * A store as the {@linkplain EngineConformanceKit kit} meets it: how to reach it and how to break
 * it. The kit uses names of its own in it, so that a store may serve many tests.
 */
@FunctionalInterface
public interface EngineUnderTest extends AutoCloseable {

  /**
   * Connects one more client. Engines of one {@code EngineUnderTest} are rivals: they see the same
   * store. The kit closes them.
   */
  LockEngine connect() throws Exception;

  /**
   * The time in which the store lives, if a test can move it. Without it the kit waits in real time
   * and uses the shortest leases.
   */
  default Optional<ManualTime> time() {
    return Optional.empty();
  }

  /**
   * Kills a client: from now on the store hears nothing of it, not even a farewell. The kit uses
   * the engine no more, so that where leases are kept alive by verbs there is nothing to do; where
   * a session is kept alive in the background, end that here.
   */
  default void kill(LockEngine engine) {}

  /** Ends the test's use of the store; the engines are closed before. */
  @Override
  default void close() {}

  /** A store that lives in manual time. */
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
