package io.holdfast.tck.faults;

import io.holdfast.FenceGuard;
import io.holdfast.HoldfastOptions;
import io.holdfast.memory.MemoryFenceGuard;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The harness of an engine: a store that can be broken, and clients of it.
 *
 * <p>Scenarios use namespaces of their own, so one store serves many at a time; a scenario that
 * breaks the store itself, or counts what is in it, gets one that nobody else uses. A method that
 * is not implemented fails its scenario. May be used by several threads.
 */
public interface FaultStore extends AutoCloseable {

  /** The store's name in figures, such as {@code Redis}. */
  String name();

  /** Connects one more client of this JVM, past all proxies. */
  LockEngine connect(Settings settings) throws Exception;

  /** Starts a client that can suffer the faults that the specification asks for. */
  FaultClient start(ClientSpec spec) throws Exception;

  /**
   * Returns the manual time of the store and its clients. If it is empty, scenarios wait in real
   * time.
   */
  default Optional<ManualTime> time() {
    return Optional.empty();
  }

  /**
   * A guard of the store's own kind, which the holders of F02 write through; one in memory by
   * default. The kit closes it if it is {@link AutoCloseable}.
   */
  default FenceGuard guard() throws Exception {
    return new MemoryFenceGuard();
  }

  /** The lease that scenarios wait for; short. */
  default Duration lease() {
    return HoldfastOptions.LEASE_FLOOR;
  }

  /** How many locks one client holds in F12. */
  default int manyHolds() {
    return 1_000;
  }

  /** How many clients stand in the line of F04. */
  default int longLine() {
    return 200;
  }

  /** How long one hand-over in a line takes at most, where nobody is late. */
  default Duration handOver() {
    return Duration.ofMillis(50);
  }

  /** Stops the whole store where it is, as {@code SIGSTOP}; connections stay open. For F07. */
  default void freeze() throws Exception {
    throw missing("freeze", FaultScenario.F07_FROZEN_STORE);
  }

  /** Ends {@link #freeze()}. */
  default void resume() throws Exception {
    throw missing("resume", FaultScenario.F07_FROZEN_STORE);
  }

  /** Ends the store without a farewell, as {@code kill -9}. For F08. */
  default void kill() throws Exception {
    throw missing("kill", FaultScenario.F08_KILLED_STORE);
  }

  /** Starts a killed store again, at the same address and with what it wrote to disk. */
  default void restart() throws Exception {
    throw missing("restart", FaultScenario.F08_KILLED_STORE);
  }

  /**
   * Everything that the store keeps of a namespace, one line each: tickets, marks, tombstones. For
   * F11, whose store nobody else uses. What stays by design and does not grow with the number of
   * names is left out.
   */
  default List<String> leftovers(String namespace) throws Exception {
    throw missing("leftovers", FaultScenario.F11_NOTHING_LEFT_BEHIND);
  }

  /**
   * The servers that the store consists of; F14 freezes the first. Empty if the store runs inside
   * its clients.
   */
  List<? extends FaultServer> servers() throws Exception;

  /** Deletes the record of a held mutex, as an operator does by hand. For F15. */
  default void deleteHeld(String namespace, String name) throws Exception {
    throw missing("deleteHeld", FaultScenario.F15_DELETED_RECORD);
  }

  /** Ends the store. */
  @Override
  void close();

  private static UnsupportedOperationException missing(String method, FaultScenario scenario) {
    return new UnsupportedOperationException(
        scenario + " needs " + method + "(): the test of the engine must implement it");
  }
}
