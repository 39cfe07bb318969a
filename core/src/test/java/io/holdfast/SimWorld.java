package io.holdfast;

import java.util.concurrent.Executor;

/** One client's world: a clock that runs at its own rate, and a process that can stop or die. */
final class SimWorld implements World {

  private static final long HOP = 10_000L;

  private final SimEvents events;
  private final SimPlan plan;
  private final double rate;
  private final long epoch;
  private long pausedUntil;
  private long awakeSince;
  private boolean dead;

  SimWorld(SimEvents events, SimPlan plan) {
    this.events = events;
    this.plan = plan;
    this.rate = 1 + (events.random.nextInt(41) - 20) / 1000.0;
    this.epoch = events.random.nextLong(1L << 40);
  }

  @Override
  public long nanoTime() {
    return epoch + (long) (events.now() * rate);
  }

  @Override
  public long epochMicros() {
    return nanoTime() / 1000;
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    if (plan.bug() == SimBug.WATCH_WITHOUT_RECHECK
        && task.getClass().getName().contains("Acquisition")) {
      return () -> {};
    }
    boolean[] cancelled = new boolean[1];
    // Rounded up: a timer is late, never early.
    events.after(
        (long) (delayNanos / rate) + 2,
        () ->
            awake(
                () -> {
                  if (!cancelled[0]) {
                    task.run();
                  }
                }));
    return () -> cancelled[0] = true;
  }

  /** Runs when the process runs: at once, after its pause, or never again. */
  void awake(Runnable body) {
    if (dead) {
      return;
    }
    long wait = pausedUntil - events.now();
    if (wait > 0) {
      events.after(wait, () -> awake(body));
    } else {
      body.run();
    }
  }

  void pause(long nanos) {
    pausedUntil = Math.max(pausedUntil, events.now() + nanos);
    awakeSince = pausedUntil;
  }

  void die() {
    dead = true;
  }

  boolean isDead() {
    return dead;
  }

  /** Whether the process has run without a pause for this long. */
  boolean ranFor(long nanos) {
    return events.now() - awakeSince >= nanos;
  }

  @Override
  public void park(Object blocker, long nanos) {
    throw new AssertionError("nothing may block in the simulation");
  }

  @Override
  public Executor callbacks() {
    return body -> events.after(HOP, () -> awake(body));
  }

  @Override
  public Thread start(String name, Runnable body) {
    throw new AssertionError("no threads in the simulation");
  }

  @Override
  public long secret() {
    return events.random.nextLong();
  }
}
