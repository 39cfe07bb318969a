package io.holdfast.jdbc.table.layout;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;

/**
 * The result of a verb, delivered once it is committed.
 *
 * @param what the result of the verb's kind, or an {@link EngineException}
 * @param place the place of a waiter in its line, otherwise 0
 */
public record VerbResult(Verb verb, Object what, long place) {

  /** Returns a result without a place. */
  public static VerbResult of(Verb verb, Object what) {
    return new VerbResult(verb, what, 0);
  }

  /** Returns whether the verb's ticket waits and must ask again. */
  public boolean isWaiting() {
    return what instanceof Standing.Waiting && verb.ticket().waits();
  }

  /** Returns whether the verb's ticket was granted. */
  public boolean isGranted() {
    return what instanceof Standing.Granted;
  }

  /** Completes the verb. */
  public void complete() {
    if (what instanceof EngineException failure) {
      verb.fail(failure);
    } else if (verb instanceof Verb.Attempt attempt) {
      attempt.complete((Standing) what);
    } else if (verb instanceof Verb.Renew renew) {
      renew.complete((Renewal) what);
    } else if (verb instanceof Verb.Leave leave) {
      leave.complete((Left) what);
    } else if (verb instanceof Verb.Settle settle) {
      settle.complete((Boolean) what);
    } else if (verb instanceof Verb.Resize resize) {
      resize.complete((Boolean) what);
    }
  }
}
