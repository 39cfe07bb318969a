package io.holdfast.redis.redlock;

import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on five masters, all of them up. */
final class RedlockConformanceIT extends EngineConformanceKit {

  /** The kit keeps the machine busy: what is slow here is not the masters. */
  private static final Duration PATIENT = Duration.ofMillis(100);

  private static RedisMasters masters;

  @BeforeAll
  static void start() {
    masters = Redlocks.masters(5);
  }

  @AfterAll
  static void stop() {
    masters.close();
  }

  @Override
  public EngineUnderTest open() {
    return () -> Redlocks.open(Redlocks.options(masters).withNodeTimeout(PATIENT));
  }
}
