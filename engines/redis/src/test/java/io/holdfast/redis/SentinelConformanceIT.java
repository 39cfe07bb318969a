package io.holdfast.redis;

import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on the master that Sentinel names, with signals. */
final class SentinelConformanceIT extends EngineConformanceKit {

  private static RedisSentinels redis;

  @BeforeAll
  static void start() throws Exception {
    redis = RedisSentinels.start().withoutFailover();
  }

  @AfterAll
  static void stop() throws Exception {
    redis.close();
  }

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open(redis.uri());
  }
}
