package io.holdfast.redis.redlock;

import java.util.List;

/**
 * The votes of all masters about one call.
 *
 * @param all in the order of the masters
 * @param sentAt by {@code nanoTime}, before the round
 * @param now by {@code nanoTime}, after the round
 */
record RedlockVotes(List<RedlockVote> all, long sentAt, long now) {

  /** Returns how long the round took. */
  long nanosTaken() {
    return now - sentAt;
  }
}
