package io.holdfast.redis;

import io.holdfast.redis.connection.LettuceClientTopology;
import io.holdfast.redis.connection.LettuceClusterTopology;
import io.holdfast.redis.connection.ServerCheck;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;

/**
 * Creates engines over a caller-supplied Lettuce client.
 *
 * <p>Lettuce is an optional dependency: only programs that use this class need it.
 */
public final class LettuceRedis {

  private LettuceRedis() {}

  /**
   * Creates an engine over a client of one server or of sentinels.
   *
   * <p>Closing the engine leaves the client open. The strict profile and {@code minReplicas} are
   * not available: both need the engine's own connections.
   *
   * @param operationTimeout how long a batch may take; the client's own timeout applies too
   */
  public static RedisEngine engine(RedisClient client, Duration operationTimeout) {
    ServerCheck check = new ServerCheck(false);
    return RedisEngine.over(LettuceClientTopology.over(client, operationTimeout, check), check);
  }

  /**
   * Creates an engine over a client of a cluster. Otherwise as {@link #engine(RedisClient,
   * Duration)}.
   *
   * <p>The client must refresh its view of the cluster, or names of a master that failed stay
   * unavailable: enable periodic and adaptive refreshes in its {@code
   * ClusterTopologyRefreshOptions}. The health of the engine warns of a client that does neither.
   */
  public static RedisEngine engine(RedisClusterClient client, Duration operationTimeout) {
    ServerCheck check = new ServerCheck(false);
    return RedisEngine.over(LettuceClusterTopology.over(client, operationTimeout, check), check);
  }
}
