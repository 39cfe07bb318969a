package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.RedisAddress;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Spring Integration's registry over Lettuce, with its defaults except for the expiry.
 *
 * <p>A lock is free again after the lease; nothing renews it.
 */
final class SpringRedisLocks {

  /** Prefix of every key. */
  private static final String REGISTRY = "bench";

  private SpringRedisLocks() {}

  static Contender.Session open(Peer.Target target, RedisLockType type) {
    RedisAddress address = PeerAddresses.redis(target.store());
    LettuceConnectionFactory connections =
        new LettuceConnectionFactory(
            new RedisStandaloneConfiguration(address.host(), address.port()));
    connections.afterPropertiesSet();
    connections.start();
    RedisLockRegistry registry =
        new RedisLockRegistry(connections, REGISTRY, target.lease().toMillis());
    registry.setRedisLockType(type);
    return new PeerSession(
        () -> PeerCaller.ofLocks(registry::obtain), registry::destroy, connections::destroy);
  }
}
