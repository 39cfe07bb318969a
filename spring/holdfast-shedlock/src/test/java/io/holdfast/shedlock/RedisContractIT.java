package io.holdfast.shedlock;

import io.holdfast.rig.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** ShedLock's own tests over a real Redis. */
class RedisContractIT extends StoreContract {

  private static RedisServer redis;

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @Override
  protected String uri() {
    return redis.uri();
  }
}
