package io.holdfast.redis.connection;

import java.util.Map;
import java.util.Set;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/**
 * The kind of a caller-supplied Jedis client.
 *
 * <p>Recognised by class names: some classes came with Jedis 7.2, and older versions lack them.
 */
enum JedisClientKind {
  /** One server at a time. */
  ONE_SERVER,
  /** A cluster. */
  CLUSTER,
  /** A subclass of the program, which may be either. */
  UNKNOWN;

  private static final Set<String> ONE =
      Set.of("RedisClient", "RedisSentinelClient", "JedisPooled", "JedisSentineled");
  private static final String CLUSTER_CLIENT = "RedisClusterClient";
  private static final String OLDER_CLUSTER_CLIENT = "JedisCluster";

  static JedisClientKind of(UnifiedJedis jedis) {
    if (is(jedis, Set.of(CLUSTER_CLIENT, OLDER_CLUSTER_CLIENT))) {
      return CLUSTER;
    }
    return is(jedis, ONE) ? ONE_SERVER : UNKNOWN;
  }

  /** Returns the pools of a cluster client, by node. */
  static Map<String, ConnectionPool> nodes(UnifiedJedis cluster) {
    return is(cluster, Set.of(CLUSTER_CLIENT)) ? Newer.nodes(cluster) : Older.nodes(cluster);
  }

  private static boolean is(UnifiedJedis jedis, Set<String> names) {
    for (Class<?> type = jedis.getClass();
        type != UnifiedJedis.class;
        type = type.getSuperclass()) {
      boolean ofJedis = type.getPackageName().equals(UnifiedJedis.class.getPackageName());
      if (ofJedis && names.contains(type.getSimpleName())) {
        return true;
      }
    }
    return false;
  }

  /** Loaded only if the class exists. */
  private static final class Newer {
    static Map<String, ConnectionPool> nodes(UnifiedJedis cluster) {
      return ((RedisClusterClient) cluster).getClusterNodes();
    }
  }

  private static final class Older {
    @SuppressWarnings("deprecation") // Programs still have the older class.
    static Map<String, ConnectionPool> nodes(UnifiedJedis cluster) {
      return ((JedisCluster) cluster).getClusterNodes();
    }
  }
}
