package io.holdfast.redis;

import io.holdfast.redis.wire.LettuceWiring;
import io.holdfast.redis.wire.StartCheck;
import io.lettuce.core.RedisClient;
import java.time.Duration;

/**
 * Engines over a Lettuce client that the program has already. Lettuce is an optional dependency:
 * nobody who does not use this class needs it.
 */
public final class LettuceRedis {

  private LettuceRedis() {}

  /**
   * An engine over a client of one server or of sentinels. Closing the engine leaves the client
   * open. Neither the strict profile nor replicas to confirm: both need connections of our own.
   *
   * @param operationTimeout how long a batch may take; the client's own timeout counts too
   */
  public static RedisEngine engine(RedisClient client, Duration operationTimeout) {
    StartCheck check = new StartCheck(false);
    return RedisEngine.over(LettuceWiring.over(client, operationTimeout, check), check);
  }
}
