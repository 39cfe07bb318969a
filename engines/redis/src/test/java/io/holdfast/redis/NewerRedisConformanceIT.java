package io.holdfast.redis;

import io.holdfast.rig.servers.NewerServers;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Figure;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on one server of Redis, by {@code -Dnewer}. */
final class NewerRedisConformanceIT extends EngineConformanceKit {

  private static RedisServer server;

  @BeforeAll
  static void start() throws Exception {
    server = RedisServer.start(NewerServers.of(RedisServer.spec(), "redis-server"));
    Figure.print("the kit on Redis %s", server.info("redis_version"));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open(server.uri());
  }
}
