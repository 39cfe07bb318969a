package io.holdfast.memory;

import io.holdfast.spi.Token;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Registry of the named stores of this JVM, each with its number of open engines. */
final class SharedStores {

  private static final class Opened {
    final MemoryStore store;
    int users;

    Opened(MemoryStore store) {
      this.store = store;
    }
  }

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Map<String, Opened> OPEN = new HashMap<>();

  /**
   * The highest counter of closed stores. A store in memory mints faster than the clock ticks;
   * without this, a guard that outlives the store would refuse the tokens of its successor.
   */
  private static long highest;

  private SharedStores() {}

  /** Opens a store. Leases are counted on the clock of the engine that opened it first. */
  static MemoryStore open(String name, LongSupplier nanoTime, LongSupplier epochMicros) {
    LOCK.lock();
    try {
      Opened opened =
          OPEN.computeIfAbsent(
              name,
              n ->
                  new Opened(
                      new MemoryStore(
                          "memory:" + n,
                          nanoTime,
                          Token.nextCounter(highest, epochMicros.getAsLong()))));
      opened.users++;
      return opened.store;
    } finally {
      LOCK.unlock();
    }
  }

  /** Closes a store for one of its engines. */
  static void close(String name) {
    LOCK.lock();
    try {
      Opened opened = OPEN.get(name);
      if (opened != null && --opened.users == 0) {
        OPEN.remove(name);
        highest = Math.max(highest, opened.store.counter());
      }
    } finally {
      LOCK.unlock();
    }
  }
}
