package io.holdfast.tck.conformance;

import io.holdfast.memory.MemoryEngineProvider;
import io.holdfast.spi.EngineProvider;
import io.holdfast.tck.ManualTime;
import java.time.Duration;

/** {@code memory:NAME}, found by its URI, on a clock that is about to overflow. */
class SharedMemoryEngineConformanceTest extends EngineConformanceKit {

  @Override
  public EngineUnderTest open() {
    ManualTime time = new ManualTime(Long.MAX_VALUE - Duration.ofSeconds(20).toNanos());
    String uri = "memory:kit-" + Long.toHexString(time.secret());
    EngineProvider.Settings settings =
        new EngineProvider.Settings(
            Duration.ofSeconds(30), Duration.ofSeconds(2), 0, time::storeTime, time::epochMicros);
    return EngineUnderTest.in(time, () -> new MemoryEngineProvider().open(uri, settings));
  }
}
