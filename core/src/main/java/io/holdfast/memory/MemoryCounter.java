package io.holdfast.memory;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.function.LongSupplier;

/** The counters of a store in memory, as one of its engines sees them. Never blocks. */
final class MemoryCounter implements Counter {

  /** Throws if the engine is closed. */
  interface Check {
    void requireOpen() throws EngineException;
  }

  private final MemoryStore store;
  private final LongSupplier epochMicros;
  private final Check check;

  MemoryCounter(MemoryStore store, LongSupplier epochMicros, Check check) {
    this.store = store;
    this.epochMicros = epochMicros;
    this.check = check;
  }

  @Override
  public long take(Ask ask) throws EngineException {
    check.requireOpen();
    long floor = ask.clocked() ? Math.max(ask.floor(), epochMicros.getAsLong()) : ask.floor();
    long end =
        store.counters.merge(
            ask.name(),
            floor + ask.count(),
            (next, first) -> Math.addExact(Math.max(next, floor), ask.count()));
    return end - ask.count();
  }

  @Override
  public boolean giveBack(Resource name, long from, long end) throws EngineException {
    check.requireOpen();
    return store.counters.replace(name, end, from);
  }

  /** Counters are lost with the process. */
  @Override
  public boolean forgets() {
    return true;
  }
}
