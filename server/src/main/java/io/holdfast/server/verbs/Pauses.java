package io.holdfast.server.verbs;

import io.holdfast.World;
import java.time.Duration;

/**
 * Notices that this process stood still, so that it does not act on what had arrived before.
 *
 * <p>A client that gets no reply goes to another server and may have left by now. Its old attempt,
 * executed late, would join for nobody. So each connection remembers the epoch in which it began;
 * an epoch ends with each pause, and requests on connections of earlier epochs are not executed.
 *
 * <p>Both clocks are compared: a suspended host stops the monotonic one.
 */
public final class Pauses {

  /** How often the clocks are read. */
  static final Duration BEAT = Duration.ofMillis(50);

  /** Shorter than any lease, so a ticket that left is still remembered by the store. */
  static final Duration LIMIT = Duration.ofSeconds(1);

  /** After a pause, connections that the kernel accepted meanwhile count as old for this long. */
  static final Duration BACKLOG = Duration.ofSeconds(1);

  /** Not the epoch of any time. */
  private static final long NEVER = -1;

  /** A look at both clocks. */
  private record Beat(long nanoTime, long epochMicros, long epoch, long epochBegan) {}

  private final World world;
  private volatile Beat last;
  private volatile boolean isClosed;

  /** Creates it; {@link #watch} begins. */
  public Pauses(World world) {
    this.world = world;
    this.last = first();
  }

  private Beat first() {
    long now = world.nanoTime();
    return new Beat(now, world.epochMicros(), 0, now - BACKLOG.toNanos());
  }

  /**
   * Begins to watch.
   *
   * @param onBeat runs every 50 ms; must not block
   */
  public void watch(Runnable onBeat) {
    last = first();
    schedule(onBeat);
  }

  private void schedule(Runnable onBeat) {
    world.schedule(
        BEAT.toNanos(),
        () -> {
          if (!isClosed) {
            try {
              look();
              onBeat.run();
            } finally {
              schedule(onBeat);
            }
          }
        });
  }

  /** The first look after a pause ends the epoch: the timer may run late. */
  private synchronized Beat look() {
    Beat before = last;
    long now = world.nanoTime();
    long wall = world.epochMicros();
    boolean paused =
        now - before.nanoTime > LIMIT.toNanos()
            || wall - before.epochMicros > LIMIT.toNanos() / 1_000;
    Beat next =
        new Beat(
            now, wall, paused ? before.epoch + 1 : before.epoch, paused ? now : before.epochBegan);
    last = next;
    return next;
  }

  /** Returns the present epoch. */
  public long epoch() {
    return (isRecent(last) ? last : look()).epoch;
  }

  /**
   * Returns the epoch for a connection whose first bytes may be requests. Shortly after a pause it
   * is none: such a connection may have waited in the kernel, with its request.
   */
  public long epochOfNewConnection() {
    Beat now = isRecent(last) ? last : look();
    return now.nanoTime - now.epochBegan < BACKLOG.toNanos() ? NEVER : now.epoch;
  }

  /** Returns whether requests of a connection that began in this epoch may be executed. */
  public boolean isCurrent(long epoch) {
    return epoch == epoch();
  }

  private boolean isRecent(Beat beat) {
    return world.nanoTime() - beat.nanoTime <= LIMIT.toNanos() / 2
        && world.epochMicros() - beat.epochMicros <= LIMIT.toNanos() / 2_000;
  }

  /** Stops watching. */
  public void close() {
    isClosed = true;
  }
}
