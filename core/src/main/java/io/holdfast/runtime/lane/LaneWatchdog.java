package io.holdfast.runtime.lane;

import io.holdfast.World;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Enforces the operation timeout of busy lanes, with one timer that runs only while needed. */
final class LaneWatchdog {

  private static final long SHORTEST = 10_000_000L;

  private final World world;
  private final List<LaneThread> lanes = new CopyOnWriteArrayList<>();
  private final AtomicBoolean armed = new AtomicBoolean();
  private volatile long interval = Long.MAX_VALUE;

  LaneWatchdog(World world) {
    this.world = world;
  }

  void add(LaneThread lane) {
    lanes.add(lane);
  }

  /** Checks often enough for a timeout of this length. */
  void limit(long timeout) {
    interval = Math.max(SHORTEST, Math.min(interval, timeout / 4));
  }

  /** A lane has begun to work. */
  void busy() {
    if (!armed.get() && armed.compareAndSet(false, true)) {
      world.schedule(interval, this::look);
    }
  }

  private void look() {
    armed.set(false);
    boolean anyBusy = false;
    for (LaneThread lane : lanes) {
      anyBusy |= lane.endLateVerbs();
    }
    if (anyBusy) {
      busy();
    }
  }
}
