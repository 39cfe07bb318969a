package io.holdfast.simulation;

import io.holdfast.World;
import java.util.concurrent.Executor;

/**
 * One client's host: clocks that run at their own rate, a process that can stop or die, and a
 * suspension, in which the process stops and the monotonic clock with it, and the wall clock runs
 * on.
 */
final class SimWorld implements World {

  private static final long HOP = 10_000L;

  private final SimEvents events;
  private final SimPlan plan;
  private final double rate;
  private final long epoch;
  private long pausedUntil;
  private long awakeSince;
  private long suspendedAt;
  private long suspendedUntil;
  private long suspendedBefore;
  private boolean dead;
  private boolean hearsSignal;

  SimWorld(SimEvents events, SimPlan plan) {
    this.events = events;
    this.plan = plan;
    this.rate = 1 + (events.random.nextInt(41) - 20) / 1000.0;
    this.epoch = events.random.nextLong(1L << 40);
  }

  @Override
  public long nanoTime() {
    return epoch + (long) ((events.now() - suspendedSoFar()) * rate);
  }

  @Override
  public long epochMicros() {
    return (epoch + (long) (events.now() * rate)) / 1000;
  }

  /** How long the host was suspended in all, up to now. */
  private long suspendedSoFar() {
    return suspendedBefore + Math.min(events.now(), suspendedUntil) - suspendedAt;
  }

  boolean isSuspended() {
    return events.now() < suspendedUntil;
  }

  /** Suspends the host; what is on its way in the network goes on. */
  void suspend(long nanos) {
    if (nanos == 0 || isSuspended()) {
      return;
    }
    suspendedBefore = suspendedSoFar();
    suspendedAt = events.now();
    suspendedUntil = suspendedAt + nanos;
    pause(nanos);
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    if (plan.bug() == SimBug.WATCH_WITHOUT_RECHECK
        && task.getClass().getName().contains("Acquisition")) {
      return () -> {};
    }
    boolean[] cancelled = new boolean[1];
    Runnable due =
        () -> {
          if (!cancelled[0]) {
            task.run();
          }
        };
    runAt(nanoTime() + delayNanos, due);
    return () -> cancelled[0] = true;
  }

  /** Timers run by the monotonic clock. Rounded up: a timer is late, never early. */
  private void runAt(long time, Runnable task) {
    long left = (long) (Math.max(0, time - nanoTime()) / rate) + 2;
    long asleep = Math.max(0, suspendedUntil - events.now());
    events.after(
        asleep + left,
        () -> {
          if (nanoTime() - time < 0) {
            runAt(time, task);
          } else {
            awake(task);
          }
        });
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

  /** Runs what a signal sets off. */
  void hearSignal(Runnable body) {
    hearsSignal = true;
    try {
      body.run();
    } finally {
      hearsSignal = false;
    }
  }

  boolean hearsSignal() {
    return hearsSignal;
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
