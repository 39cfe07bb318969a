/** Holdfast over Redis: the engines {@code redis:} and {@code redlock:}. */
@SuppressWarnings("requires-automatic") // Jedis and Lettuce have no module descriptors.
module io.holdfast.redis {
  requires io.holdfast.core;
  requires redis.clients.jedis;
  requires static lettuce.core;
  requires static org.jspecify;

  exports io.holdfast.redis;

  provides io.holdfast.spi.EngineProvider with
      io.holdfast.redis.RedisEngineProvider;
}
