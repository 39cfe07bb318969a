package io.holdfast.jdbc.table;

import io.holdfast.jdbc.Engines;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;

/** The kit on H2, in memory. */
final class H2TableConformanceIT extends EngineConformanceKit {

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open("jdbc:h2:mem:kit;DB_CLOSE_DELAY=-1");
  }
}
