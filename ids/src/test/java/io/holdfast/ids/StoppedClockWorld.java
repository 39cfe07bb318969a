package io.holdfast.ids;

import io.holdfast.World;
import java.util.concurrent.Executor;

/** A world whose wall clock can be stopped. */
final class StoppedClockWorld implements World {

  private final World real;
  private volatile long stoppedAt = Long.MIN_VALUE;

  StoppedClockWorld(World real) {
    this.real = real;
  }

  void stop() {
    stoppedAt = real.epochMicros();
  }

  @Override
  public long nanoTime() {
    return real.nanoTime();
  }

  @Override
  public long epochMicros() {
    return stoppedAt == Long.MIN_VALUE ? real.epochMicros() : stoppedAt;
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    return real.schedule(delayNanos, task);
  }

  @Override
  public void park(Object blocker, long nanos) {
    real.park(blocker, nanos);
  }

  @Override
  public Executor callbacks() {
    return real.callbacks();
  }

  @Override
  public Thread start(String name, Runnable body) {
    return real.start(name, body);
  }

  @Override
  public long secret() {
    return real.secret();
  }
}
