package io.holdfast.spi;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;

/** Opens engines by the scheme of a URI; found by {@link java.util.ServiceLoader}. */
public interface EngineProvider {

  /** Returns the schemes that it opens, in lower case, such as {@code redis}. */
  Set<String> schemes();

  /**
   * Returns the names of {@code holdfast.*} parameters that are this engine's own, such as {@code
   * mode}, and stay in the address that it receives. Needed for stores whose plain parameters
   * belong to a driver.
   */
  default Set<String> parameters() {
    return Set.of();
  }

  /**
   * Opens an engine. The store need not be up: connections are made when lanes need them.
   *
   * @param uri the address without the runtime's parameters, but with the engine's own {@link
   *     #parameters()}; it may contain secrets and must not be logged
   * @throws IllegalArgumentException when the URI is malformed; the message has no secrets
   */
  LockEngine open(String uri, Settings settings);

  /**
   * The settings that a client passes to its engine.
   *
   * @param lease the default lease
   * @param operationTimeout how long a verb may take before it counts as unknown
   * @param lanes the requested number of lanes, or 0 for the engine's default
   * @param nanoTime a monotonic clock
   * @param epochMicros a wall clock, for display, for engines without a store of their own, and to
   *     notice that the host was suspended; never to be compared with a clock of the store
   */
  record Settings(
      Duration lease,
      Duration operationTimeout,
      int lanes,
      LongSupplier nanoTime,
      LongSupplier epochMicros) {

    /**
     * Returns the settings that a client with default options passes to its engine, with these
     * clocks.
     */
    public static Settings defaults(LongSupplier nanoTime, LongSupplier epochMicros) {
      return new Settings(Duration.ofSeconds(30), Duration.ofSeconds(2), 0, nanoTime, epochMicros);
    }
  }
}
