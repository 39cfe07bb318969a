package io.holdfast.tck.conformance;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.tck.ManualTime;

/** {@code memory:}, whose store only its client has: here all clients share the one engine. */
class MemoryEngineConformanceTest extends EngineConformanceKit {

  @Override
  public EngineUnderTest open() {
    ManualTime time = new ManualTime();
    MemoryEngine engine = MemoryEngine.create(time::storeTime, time::epochMicros);
    return EngineUnderTest.in(time, () -> ForwardingEngine.thatStaysOpen(engine));
  }
}
