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
 */
record Word(int attempts, Standing.@Nullable Waiting busy, @Nullable EngineException failure) {

  static final Word NONE = new Word(0, null, null);

  Word asked() {
    return new Word(attempts + 1, busy, failure);
  }

  Word busy(Standing.Waiting waiting) {
    return new Word(attempts, waiting, null);
  }

  Word failed(EngineException why) {
    return new Word(attempts, busy, why);
  }

  boolean saysBusy() {
    return busy != null && failure == null;
  }
}
