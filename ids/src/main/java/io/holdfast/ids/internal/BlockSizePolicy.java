package io.holdfast.ids.internal;

/**
 * Chooses the size of the next block so that blocks last for a given time.
 *
 * <p>Follows the demand: grows quickly, shrinks slowly. Not thread-safe.
 */
final class BlockSizePolicy {

  private static final int FASTEST_GROWTH = 4;
  private static final int FASTEST_SHRINKING = 2;

  private final long blockNanos;
  private final long least;
  private final long most;
  private long step;
  private double idsANano;

  /**
   * Creates a policy that starts with the smallest block.
   *
   * @param blockNanos how long one block should last
   */
  BlockSizePolicy(long blockNanos, long least, long most) {
    this.blockNanos = Math.max(1, blockNanos);
    this.least = least;
    this.most = most;
    this.step = least;
  }

  /** Records that a block of this many ids was used up in this time. */
  void used(long ids, long nanos) {
    idsANano = (double) ids / Math.max(1, nanos);
    double wanted = idsANano * blockNanos;
    double bounded =
        Math.max(
            (double) step / FASTEST_SHRINKING, Math.min((double) step * FASTEST_GROWTH, wanted));
    step = Math.max(least, Math.min(most, (long) Math.ceil(bounded)));
  }

  /** Returns the size of the next block. */
  long step() {
    return step;
  }

  /** Returns how long this many ids last; assumes the planned rate until one is measured. */
  long nanos(long ids) {
    double rate = idsANano == 0 ? (double) step / blockNanos : idsANano;
    return (long) Math.min(Long.MAX_VALUE / 2.0, ids / rate);
  }
}
