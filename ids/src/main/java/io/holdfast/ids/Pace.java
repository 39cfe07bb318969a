package io.holdfast.ids;

/**
 * How large the next block should be, so that a few of them last for as long as they must. Follows
 * the demand: up quickly, down slowly. Not thread-safe.
 */
final class Pace {

  private static final int FASTEST_GROWTH = 4;
  private static final int FASTEST_SHRINKING = 2;

  private final long blockNanos;
  private final long least;
  private final long most;
  private long step;
  private double idsANano;

  /**
   * A pace.
   *
   * @param blockNanos how long one block should last
   */
  Pace(long blockNanos, long least, long most) {
    this.blockNanos = Math.max(1, blockNanos);
    this.least = least;
    this.most = most;
    this.step = least;
  }

  /** A block of so many ids was used up in so long. */
  void used(long ids, long nanos) {
    idsANano = (double) ids / Math.max(1, nanos);
    double wanted = idsANano * blockNanos;
    double bounded =
        Math.max(
            (double) step / FASTEST_SHRINKING, Math.min((double) step * FASTEST_GROWTH, wanted));
    step = Math.max(least, Math.min(most, (long) Math.ceil(bounded)));
  }

  /** How large the next block should be. */
  long step() {
    return step;
  }

  /** How long so many ids last; as long as the pace is not known, a block for each block's time. */
  long nanos(long ids) {
    double pace = idsANano == 0 ? (double) step / blockNanos : idsANano;
    return (long) Math.min(Long.MAX_VALUE / 2.0, ids / pace);
  }
}
