package io.holdfast.cli.demo;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import java.time.Duration;
import java.util.Locale;

/** A worker with its own client, as if on its own machine. */
final class DemoMachine implements TimelineColumn, AutoCloseable {

  static final Duration LEASE = HoldfastOptions.LEASE_FLOOR;

  private final String name;
  private final int column;
  private final DemoWorld world = new DemoWorld(World.system());
  private final Holdfast holdfast;
  private final DistributedLock lock;

  DemoMachine(String name, int column, HoldfastListener listener, DemoStore place) {
    this.name = name;
    this.column = column;
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS.withLease(LEASE).withApp(name).withListener(listener);
    this.holdfast = place.open(options, world);
    this.lock = holdfast.lock(place.lock());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int column() {
    return column;
  }

  Holdfast holdfast() {
    return holdfast;
  }

  DistributedLock lock() {
    return lock;
  }

  /** Starts a thread of this machine. */
  void start(Runnable body) {
    world.start(String.format(Locale.ROOT, "demo-%s", name), body);
  }

  /** Takes its time; longer, when the machine is stopped meanwhile. */
  void work(Duration time) {
    long end = world.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - world.nanoTime()) {
      world.park(this, left);
    }
  }

  void stop() {
    world.pause();
  }

  void wakeUp() {
    world.resume();
  }

  @Override
  public void close() {
    world.resume();
    holdfast.close();
  }
}
