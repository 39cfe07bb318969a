package io.holdfast.redis.wire;

import java.util.Map;
import java.util.Set;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/**
 * What kind of client a program has handed in. Told by the names of classes: some came with Jedis
 * 7.2, and a type that is not there cannot be asked for.
 */
enum JedisKind {
  /** One server at a time. */
  ONE_SERVER,
  /** A cluster. */
  CLUSTER,
  /** A client of the program's own making, which may be either. */
  UNKNOWN;

  private static final Set<String> ONE =
      Set.of("RedisClient", "RedisSentinelClient", "JedisPooled", "JedisSentineled");
  private static final String CLUSTER_CLIENT = "RedisClusterClient";
  private static final String OLDER_CLUSTER_CLIENT = "JedisCluster";

  static JedisKind of(UnifiedJedis jedis) {
    if (is(jedis, Set.of(CLUSTER_CLIENT, OLDER_CLUSTER_CLIENT))) {
      return CLUSTER;
    }
    return is(jedis, ONE) ? ONE_SERVER : UNKNOWN;
  }

  /** The pools of a cluster client, by node. */
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

  /** Loaded only where the class is there. */
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
