package io.holdfast.runtime.client;

import io.holdfast.World;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Counts operations under way, and lets one thread wait until there are none. */
public final class InFlightCounter {

  private final World world;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicReference<@Nullable Thread> awaiting = new AtomicReference<>();

  public InFlightCounter(World world) {
    this.world = world;
  }

  public void begin() {
    underWay.incrementAndGet();
  }

  public void end() {
    underWay.decrementAndGet();
    Thread thread = awaiting.get();
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** Waits until nothing is under way, at most for the given time; keeps the interrupt flag. */
  public void await(long nanos) {
    long until = world.nanoTime() + nanos;
    boolean interrupted = false;
    awaiting.set(Thread.currentThread());
    while (underWay.get() > 0) {
      long left = until - world.nanoTime();
      if (left <= 0) {
        break;
      }
      world.park(this, left);
      interrupted |= Thread.interrupted();
    }
    awaiting.set(null);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
