package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.spi.support.VerbStep;

/** One verb of a batch, put to the vote in one round or several. Not thread-safe. */
interface RedlockStep extends VerbStep<RedlockVotes> {

  /** Returns how long the next round must wait, in nanoseconds. */
  default long pause() {
    return 0;
  }

  /** Returns the call that every master gets in the next round. */
  ScriptCall ask();
}
