package io.holdfast.tck;

import io.holdfast.memory.MemoryEngine;

/** {@code memory:}, whose store only its client has: here all clients share the one engine. */
class MemoryEngineConformanceTest extends EngineConformanceKit {

  @Override
  public EngineUnderTest open() {
    ManualTime time = new ManualTime();
    MemoryEngine engine = MemoryEngine.create(time::storeTime, time::epochMicros);
    return EngineUnderTest.in(time, () -> Relay.thatStaysOpen(engine));
  }
}
