package io.holdfast;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Looks after lanes that are busy, with one timer that runs only while one is. */
final class LaneWatch {

  private static final long SHORTEST = 10_000_000L;

  private final World world;
  private final List<LaneThread> lanes = new CopyOnWriteArrayList<>();
  private final AtomicBoolean armed = new AtomicBoolean();
  private volatile long interval = Long.MAX_VALUE;

  LaneWatch(World world) {
    this.world = world;
  }

  void add(LaneThread lane) {
    lanes.add(lane);
  }

  /** Looks often enough for a timeout of this length. */
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
      anyBusy |= lane.replaceIfLate();
    }
    if (anyBusy) {
      busy();
    }
  }
}
