package io.holdfast.runtime.acquire;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import org.jspecify.annotations.Nullable;

/**
 * What the store has reported to a waiting caller. The last reply decides how a wait is reported.
 *
 * @param attempts the number of attempts
 * @param busy the last time the store reported busy, if it did
 * @param failure the failure since then, if any
 * @param doubtful whether an attempt since then may have reached the store, or still may
 */
public record StoreReplies(
    int attempts,
    Standing.@Nullable Waiting busy,
    @Nullable EngineException failure,
    boolean doubtful) {

  public static final StoreReplies NONE = new StoreReplies(0, null, null, false);

  StoreReplies asked() {
    return new StoreReplies(attempts + 1, busy, failure, doubtful);
  }

  StoreReplies busy(Standing.Waiting waiting) {
    return new StoreReplies(attempts, waiting, null, false);
  }

  StoreReplies failed(EngineException why) {
    boolean doubt = doubtful || why instanceof EngineException.Unknown;
    return new StoreReplies(attempts, busy, why, doubt);
  }

  boolean saysBusy() {
    return busy != null && failure == null;
  }
}
