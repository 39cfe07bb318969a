package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import org.jspecify.annotations.Nullable;

/**
 * What a waiting caller knows from the store; the last word decides how a wait that ends is told.
 *
 * @param attempts how often the store was asked
 * @param busy the last time it said busy, if it did
 * @param failure what went wrong since then, if anything
 * @param doubtful whether an attempt since then may have reached the store, or may still
 */
record Word(
    int attempts,
    Standing.@Nullable Waiting busy,
    @Nullable EngineException failure,
    boolean doubtful) {

  static final Word NONE = new Word(0, null, null, false);

  Word asked() {
    return new Word(attempts + 1, busy, failure, doubtful);
  }

  Word busy(Standing.Waiting waiting) {
    return new Word(attempts, waiting, null, false);
  }

  Word failed(EngineException why) {
    boolean doubt = doubtful || why instanceof EngineException.Unknown;
    return new Word(attempts, busy, why, doubt);
  }

  boolean saysBusy() {
    return busy != null && failure == null;
  }
}
