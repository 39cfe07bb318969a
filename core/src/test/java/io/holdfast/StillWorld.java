package io.holdfast;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** A world without time: no timer ever runs, callbacks run at once. For model checking. */
final class StillWorld implements World {

  @Override
  public long nanoTime() {
    return 0;
  }

  @Override
  public long epochMicros() {
    return 64_000_000L;
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    return () -> {};
  }

  @Override
  public void park(Object blocker, long nanos) {
    LockSupport.park(blocker);
  }

  @Override
  public Executor callbacks() {
    return Runnable::run;
  }

  @Override
  public Thread start(String name, Runnable body) {
    throw new UnsupportedOperationException("no threads in a world that stands still");
  }

  @Override
  public long secret() {
    return 42;
  }
}
