package io.holdfast.tck;

import io.holdfast.Holdfast;
import io.holdfast.spi.EngineTraits;

/**
 * A client as programs have it, behind a line that can be broken.
 *
 * @param engine what stands between the client and the store
 */
record Caller(Holdfast holdfast, FaultyEngine engine) {

  /** How many attempts about this name the store has answered with "not yet". */
  long waits(String name) {
    return engine.reached(VerbKind.ATTEMPT, name).stream()
        .filter(seen -> seen.answer().startsWith("Waiting"))
        .count();
  }

  EngineTraits traits() {
    return engine.traits();
  }
}
