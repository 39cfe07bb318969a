package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The peers over a Redis server. */
final class RedisPeers {

  static final String REDISSON = "redisson";
  static final String REDISSON_FAIR = "redisson-fair";
  static final String REDISSON_FENCED = "redisson-fenced";
  static final String SPRING_SPIN = "spring-redis-spin";
  static final String SPRING_PUB_SUB = "spring-redis-pubsub";

  /** The floor. */
  static final String JEDIS = "jedis-set-nx";

  /** Those that promise no order; without the floor, which is nobody's library. */
  static final List<String> LIBRARIES =
      List.of(REDISSON, REDISSON_FENCED, SPRING_SPIN, SPRING_PUB_SUB);

  /** Makes a contender, once the server is known. */
  @FunctionalInterface
  interface Maker {
    Contender make(RedisAddress address, Duration lease);
  }

  static final Map<String, Maker> BY_NAME =
      Map.of(
          REDISSON, redisson(REDISSON, RedissonContender.Kind.PLAIN),
          REDISSON_FAIR, redisson(REDISSON_FAIR, RedissonContender.Kind.FAIR),
          REDISSON_FENCED, redisson(REDISSON_FENCED, RedissonContender.Kind.FENCED),
          SPRING_SPIN, spring(SPRING_SPIN, RedisLockType.SPIN_LOCK),
          SPRING_PUB_SUB, spring(SPRING_PUB_SUB, RedisLockType.PUB_SUB_LOCK),
          JEDIS, JedisContender::new);

  private RedisPeers() {}

  private static Maker redisson(String name, RedissonContender.Kind kind) {
    return (address, lease) -> new RedissonContender(name, kind, address, lease);
  }

  private static Maker spring(String name, RedisLockType type) {
    return (address, lease) -> new SpringContender(name, type, address, lease);
  }
}
