package io.holdfast.spi;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;

/** Opens engines by the scheme of a URI; found by {@link java.util.ServiceLoader}. */
public interface EngineProvider {

  /** The schemes that it opens, in lower case, such as {@code redis}. */
  Set<String> schemes();

  /**
   * The names of {@code holdfast.*} parameters that are this engine's own and stay in the address
   * that it gets, such as {@code mode}: for stores whose plain parameters are somebody else's.
   */
  default Set<String> parameters() {
    return Set.of();
  }

  /**
   * Opens an engine. The store need not be up: connections are made when lanes need them.
   *
   * @param uri the address without parameters of ours but its own {@link #parameters()}; it may
   *     hold secrets, and must not be logged
   * @throws IllegalArgumentException when the URI is not understood; the message has no secrets
   */
  LockEngine open(String uri, Settings settings);

  /**
   * What the client tells the engine.
   *
   * @param lease the usual lease
   * @param operationTimeout how long a verb may take before it counts as unknown
   * @param lanes how many lanes the user wants, or 0 for what the engine likes best
   * @param nanoTime a monotonic clock
   * @param epochMicros a wall clock, for display, for engines without a store of their own, and to
   *     notice that the host was suspended; never to be compared with a clock of the store
   */
  record Settings(
      Duration lease,
      Duration operationTimeout,
      int lanes,
      LongSupplier nanoTime,
      LongSupplier epochMicros) {}
}
