package io.holdfast.redis;

import io.holdfast.rig.servers.RedisServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on one server in the strict profile. */
final class SingleStrictConformanceIT extends EngineConformanceKit {

  // Longer than the longest lease of the kit, which is an hour: longer ones are refused. Nobody
  // waits for its end, as the server is declared to be new.
  private static final String STRICT = "?strict=true&quarantine=2h";

  private static RedisServer redis;

  @BeforeAll
  static void start() throws Exception {
    redis = RedisServer.start();
    RedisEngine.init(RedisOptions.of(redis.uri() + STRICT), Duration.ofSeconds(5));
  }

  @AfterAll
  static void stop() throws Exception {
    redis.close();
  }

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open(redis.uri() + STRICT);
  }
}
