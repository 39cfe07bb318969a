package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import java.util.List;

/** A verb that is put to the vote, in one round or several. For one thread. */
interface RedlockMotion {

  /** How long the next round must wait, in nanoseconds. */
  default long pause() {
    return 0;
  }

  /** What is put to every master in the next round. */
  Call call();

  /**
   * Takes the votes of a round.
   *
   * @param sentAt by {@code nanoTime}, before the round
   * @param now by {@code nanoTime}, after it
   * @return whether the verb is complete; if not, there is another round
   */
  boolean count(List<RedlockVote> votes, long sentAt, long now);
}
