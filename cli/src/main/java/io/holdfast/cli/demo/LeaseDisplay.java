package io.holdfast.cli.demo;

import io.holdfast.Hold;
import io.holdfast.World;
import io.holdfast.cli.demo.Timeline.State;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Watches the current hold many times a second and shows how its lease runs. */
final class LeaseDisplay implements AutoCloseable {

  private static final long INTERVAL = 25_000_000;

  /** More time left than before by this much: it was renewed. */
  private static final Duration RENEWED = Duration.ofMillis(100);

  private final Timeline timeline;
  private final World world;
  private @Nullable DemoMachine machine;
  private @Nullable Hold hold;
  private Duration left = Duration.ZERO;
  private Duration whole = DemoMachine.LEASE;
  private volatile boolean closed;

  LeaseDisplay(Timeline timeline, World world) {
    this.timeline = timeline;
    this.world = world;
    world.start("demo-watch", this::run);
  }

  private void run() {
    while (!closed) {
      look();
      world.park(this, INTERVAL);
    }
  }

  synchronized void follow(DemoMachine holder, Hold held) {
    machine = holder;
    hold = held;
    left = held.remaining();
    whole = left;
  }

  /** Somebody lets go of a hold, so its end is no news. */
  synchronized void forget(Hold held) {
    if (hold == held) {
      hold = null;
      timeline.noBar();
    }
  }

  private synchronized void look() {
    if (hold == null || machine == null) {
      return;
    }
    Duration now = hold.remaining();
    timeline.bar(machine, now, whole);
    if (!hold.isHeld()) {
      timeline.alarm(machine, State.STOPPED, "cannot believe any more: isHeld() is false");
      hold = null;
    } else if (now.compareTo(left.plus(RENEWED)) > 0) {
      double seconds = now.toMillis() / 1000.0;
      String text = String.format(Locale.ROOT, "is renewed, good for %.1f s again", seconds);
      timeline.row(machine, timeline.state(machine), text);
    }
    left = now;
  }

  @Override
  public void close() {
    closed = true;
  }
}
