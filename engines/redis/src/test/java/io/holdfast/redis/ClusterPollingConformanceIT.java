package io.holdfast.redis;

import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on a cluster of three masters, without signals. */
final class ClusterPollingConformanceIT extends EngineConformanceKit {

  private static RedisCluster redis;

  @BeforeAll
  static void start() throws Exception {
    redis = RedisCluster.start().withoutFailover();
  }

  @AfterAll
  static void stop() throws Exception {
    redis.close();
  }

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open(redis.uri() + "?signals=off");
  }
}
