package io.holdfast.redis;

import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.LockEngine;
import java.util.Set;

/**
 * Opens the Redis engines by address.
 *
 * <p>The schemes are {@code redis:}, {@code rediss:} (TLS), {@code redis-sentinel:}, {@code
 * redis-cluster:} and {@code redlock:}; {@link RedisOptions#of} has the form of the addresses.
 */
public final class RedisEngineProvider implements EngineProvider {

  /** For {@link java.util.ServiceLoader}. */
  public RedisEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("redis", "rediss", "redis-sentinel", "redis-cluster", "redlock");
  }

  @Override
  public LockEngine open(String uri, Settings settings) {
    RedisOptions options = RedisOptions.of(uri);
    return options.topology() == RedisOptions.Topology.REDLOCK
        ? RedlockEngine.open(options, settings)
        : RedisEngine.open(options, settings);
  }
}
