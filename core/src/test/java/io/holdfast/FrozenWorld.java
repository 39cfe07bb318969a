package io.holdfast;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** A world whose time never moves, for model checking: no timer runs, callbacks run at once. */
final class FrozenWorld implements World {

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
