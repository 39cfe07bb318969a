package io.holdfast;

/**
 * The monotonic clock and the wall clock of this host. A suspension stops the first and not the
 * second, so the time between them shows it.
 */
class HostClocks {

  private final World world;

  HostClocks(World world) {
    this.world = world;
  }

  /** The monotonic clock. */
  final long nanos() {
    return world.nanoTime();
  }

  /** How far the wall clock is ahead of the monotonic clock, which was read before. */
  final long apart(long nanos) {
    return world.epochMicros() * 1000 - nanos;
  }

  /** Both clocks, for a verb that is sent next. */
  SendTime sending() {
    // The wall clock goes first: a suspension between the two readings then counts as one after it.
    long wall = world.epochMicros() * 1000;
    long nanos = world.nanoTime();
    return new SendTime(nanos, wall - nanos);
  }
}
