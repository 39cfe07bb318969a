package io.holdfast.redis;

import io.holdfast.rig.servers.RedisServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on one server, with signals. */
final class SingleConformanceIT extends EngineConformanceKit {

  private static RedisServer redis;

  @BeforeAll
  static void start() throws Exception {
    redis = RedisServer.start();
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
