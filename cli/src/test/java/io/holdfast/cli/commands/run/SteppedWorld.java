package io.holdfast.cli.commands.run;

import io.holdfast.World;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** The real world, but for its wall clock, which can be set ahead: a machine that has slept. */
final class SteppedWorld implements World {

  private final World real = World.system();
  private final AtomicLong stepMicros = new AtomicLong();

  /** Sets the wall clock ahead. */
  void step(Duration time) {
    stepMicros.addAndGet(time.toNanos() / 1000);
  }

  @Override
  public long nanoTime() {
    return real.nanoTime();
  }

  @Override
  public long epochMicros() {
    return real.epochMicros() + stepMicros.get();
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
  public void letOthersRun() {
    real.letOthersRun();
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
