package io.holdfast.ids.internal;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A counter in memory behind a line that can be cut, slow, or lose answers. */
final class FaultyCounter implements Counter {

  private static final long LOOK_NANOS = 5_000_000;

  private final Counter real =
      MemoryEngine.create(System::nanoTime, () -> System.currentTimeMillis() * 1000)
          .counter()
          .orElseThrow();
  final AtomicInteger takes = new AtomicInteger();
  final AtomicLong largest = new AtomicLong();
  volatile boolean away;
  volatile int loseEvery;

  /** How many answers are lost from now on. */
  final AtomicInteger loseNext = new AtomicInteger();

  volatile long delayNanos;
  volatile boolean forgets;

  @Override
  public long take(Ask ask) throws EngineException {
    int number = takes.incrementAndGet();
    long ignored = largest.accumulateAndGet(ask.count(), Math::max);
    pause();
    if (away) {
      throw new EngineException.NotDone("the store is away", null);
    }
    long first = real.take(ask);
    if (loseEvery > 0 && number % loseEvery == 0) {
      throw new EngineException.Unknown("the answer was lost", null);
    }
    if (loseNext.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new EngineException.Unknown("the answer was lost", null);
    }
    return first;
  }

  /** The next number, as nobody's call: no answer of it is lost. */
  long stands(Resource name) throws EngineException {
    long next = real.take(new Ask(name, 1, 0, false));
    boolean ignored = real.giveBack(name, next, next + 1);
    return next;
  }

  /** A delay that is made shorter meanwhile ends sooner. */
  private void pause() {
    long start = System.nanoTime();
    long left = delayNanos;
    while (left > 0) {
      LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
      left = delayNanos - (System.nanoTime() - start);
    }
  }

  @Override
  public boolean giveBack(Resource name, long from, long end) throws EngineException {
    if (away) {
      throw new EngineException.NotDone("the store is away", null);
    }
    return real.giveBack(name, from, end);
  }

  @Override
  public boolean forgets() {
    return forgets;
  }

  StoreCounter numbers() {
    return new StoreCounter(
        this, new Resource("default", "ids/orders"), "memory:", 1, forgets(), () -> {});
  }
}
