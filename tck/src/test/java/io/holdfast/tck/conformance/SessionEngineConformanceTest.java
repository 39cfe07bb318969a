package io.holdfast.tck.conformance;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.ManualTime;
import java.util.Optional;

/** An engine whose clients must be killed for their tickets to end. */
class SessionEngineConformanceTest extends EngineConformanceKit {

  @Override
  public EngineUnderTest open() {
    ManualTime time = new ManualTime();
    MemoryEngine store = MemoryEngine.create(time::storeTime, time::epochMicros);
    return new EngineUnderTest() {
      @Override
      public LockEngine connect() {
        return new SessionEngine(ForwardingEngine.thatStaysOpen(store), time);
      }

      @Override
      public Optional<ManualTime> time() {
        return Optional.of(time);
      }

      @Override
      public void kill(LockEngine engine) {
        ((SessionEngine) engine).die();
      }
    };
  }
}
