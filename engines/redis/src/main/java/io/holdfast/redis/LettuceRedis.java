package io.holdfast.redis;

import io.holdfast.redis.connection.LettuceClientTopology;
import io.holdfast.redis.connection.LettuceClusterTopology;
import io.holdfast.redis.connection.ServerCheck;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.function.Supplier;

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
    return serverEngine(() -> client, operationTimeout);
  }

  /**
   * Creates an engine over clients that the program replaces. Otherwise as {@link
   * #engine(RedisClient, Duration)}.
   *
   * @param clients called for each connection, on the engine's threads. When the client of a
   *     connection was shut down, the next one is opened over what it returns then; as long as it
   *     throws an {@link IllegalStateException}, the store counts as unavailable
   */
  public static RedisEngine serverEngine(Supplier<RedisClient> clients, Duration operationTimeout) {
    ServerCheck check = new ServerCheck(false);
    return RedisEngine.over(LettuceClientTopology.over(clients, operationTimeout, check), check);
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
    return clusterEngine(() -> client, operationTimeout);
  }

  /**
   * Creates an engine over clients of a cluster that the program replaces. As {@link
   * #serverEngine}, and otherwise as {@link #engine(RedisClusterClient, Duration)}.
   */
  public static RedisEngine clusterEngine(
      Supplier<RedisClusterClient> clients, Duration operationTimeout) {
    ServerCheck check = new ServerCheck(false);
    return RedisEngine.over(LettuceClusterTopology.over(clients, operationTimeout, check), check);
  }
}
