package io.holdfast.tck.conformance;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Engines whose counters give numbers out twice. */
final class PlantedCounters {

  private PlantedCounters() {}

  private static LockEngine with(LockEngine honest, Counter counter) {
    return new ForwardingEngine(honest) {
      @Override
      public Optional<Counter> counter() {
        return Optional.of(counter);
      }
    };
  }

  private abstract static class CounterRelay implements Counter {
    final Counter honest;

    CounterRelay(LockEngine engine) {
      this.honest = engine.counter().orElseThrow();
    }

    @Override
    public long take(Ask ask) throws EngineException {
      return honest.take(ask);
    }

    @Override
    public boolean giveBack(Resource name, long from, long end) throws EngineException {
      return honest.giveBack(name, from, end);
    }

    @Override
    public boolean forgets() {
      return honest.forgets();
    }
  }

  /** Two steps, so that another client can come in between: both get the same block. */
  static LockEngine readsThenWrites(LockEngine engine) {
    return with(
        engine,
        new CounterRelay(engine) {
          @Override
          public long take(Ask ask) throws EngineException {
            long first = honest.take(ask);
            if (!honest.giveBack(ask.name(), first, first + ask.count())) {
              return first;
            }
            LockSupport.parkNanos(200_000);
            long again = honest.take(ask);
            return Math.min(first, again);
          }
        });
  }

  /** Sets the counter back whether or not somebody has taken a block since. */
  static LockEngine givesBackBlindly(LockEngine engine) {
    return with(
        engine,
        new CounterRelay(engine) {
          @Override
          public boolean giveBack(Resource name, long from, long end) throws EngineException {
            long now = honest.take(new Ask(name, 1, 0, false)) + 1;
            return honest.giveBack(name, from, now);
          }
        });
  }
}
