package io.holdfast.redis.redlock;

import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on five masters, two of them dead: each of the others is needed. */
final class RedlockMinorityDeadConformanceIT extends EngineConformanceKit {

  /** The kit keeps the machine busy, and no slow master can be made up for here. */
  private static final Duration PATIENT = Duration.ofMillis(300);

  private static RedisMasters masters;

  @BeforeAll
  static void start() {
    masters = Redlocks.masters(5);
    masters.kill9(1);
    masters.kill9(3);
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
