package io.holdfast.jdbc.table;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;

/**
 * What became of a verb: told once it is committed.
 *
 * @param what the answer of the verb's kind, or an {@link EngineException}
 * @param place of one that waits in a line, else 0
 */
public record Answer(Verb verb, Object what, long place) {

  /** An answer without a place. */
  static Answer of(Verb verb, Object what) {
    return new Answer(verb, what, 0);
  }

  /** Whether the verb's ticket stands where it must ask again. */
  public boolean isWaiting() {
    return what instanceof Standing.Waiting && verb.ticket().waits();
  }

  /** Whether the verb's ticket is in. */
  public boolean isGranted() {
    return what instanceof Standing.Granted;
  }

  /** Completes the verb. */
  public void tell() {
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
