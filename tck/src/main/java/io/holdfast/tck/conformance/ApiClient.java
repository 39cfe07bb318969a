package io.holdfast.tck.conformance;

import io.holdfast.Holdfast;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.FaultyEngine;
import io.holdfast.tck.VerbKind;

/**
 * A client that uses the API, connected through an engine that injects faults.
 *
 * @param engine the faulty engine between the client and the store
 * @param real the engine under test
 */
record ApiClient(Holdfast holdfast, FaultyEngine engine, LockEngine real) {

  /** The number of attempts for this name with the result "waiting". */
  long waits(String name) {
    return engine.reached(VerbKind.ATTEMPT, name).stream()
        .filter(seen -> seen.answer().startsWith("Waiting"))
        .count();
  }

  EngineTraits traits() {
    return engine.traits();
  }
}
