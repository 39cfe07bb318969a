package io.holdfast.redis;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import java.net.URI;
import java.time.Duration;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.UnifiedJedis;

/** What {@link JedisVersionsIT} runs on another class path; the Jedis there is older, or ours. */
public final class JedisFeatures {

  private static final Duration LONG = Duration.ofSeconds(30);

  private JedisFeatures() {}

  /** Returns where Jedis was loaded from. */
  public static String run(String single, String sentinel, String cluster, String redlock)
      throws Exception {
    EveryFeature.at(single);
    EveryFeature.at(sentinel);
    EveryFeature.at(cluster);
    try (Holdfast holdfast = Holdfast.connect(redlock)) {
      locks(holdfast);
    }
    overClients(URI.create(single), cluster);
    return UnifiedJedis.class.getProtectionDomain().getCodeSource().getLocation().toString();
  }

  private static void overClients(URI single, String cluster) throws Exception {
    try (UnifiedJedis jedis = client(single)) {
      over(jedis);
    }
    String first = cluster.substring("redis-cluster://".length()).split(",", -1)[0];
    try (UnifiedJedis jedis = clusterClient(HostAndPort.from(first))) {
      over(jedis);
    }
  }

  private static void over(UnifiedJedis jedis) throws Exception {
    try (Holdfast holdfast = Holdfast.open(RedisEngine.over(jedis), HoldfastOptions.DEFAULTS);
        RedisFenceGuard guard = RedisFenceGuard.over(jedis)) {
      guard.claim(locks(holdfast));
      holdfast.inspector().orElseThrow().list("default", "", "", 10);
    }
  }

  private static Hold locks(Holdfast holdfast) throws Exception {
    Hold first = holdfast.lock("features").acquire(LONG);
    first.close();
    Hold second = holdfast.lock("features").acquire(LONG);
    second.close();
    if (second.token() <= first.token()) {
      throw new AssertionError("tokens must rise: " + first.token() + ", " + second.token());
    }
    return second;
  }

  /** Jedis 8 has no JedisPooled any more, and Jedis 7.0 no RedisClient yet. */
  private static UnifiedJedis client(URI uri) throws ReflectiveOperationException {
    try {
      return (UnifiedJedis)
          Class.forName("redis.clients.jedis.RedisClient")
              .getMethod("create", String.class)
              .invoke(null, uri.toString());
    } catch (ClassNotFoundException e) {
      return Class.forName("redis.clients.jedis.JedisPooled")
          .asSubclass(UnifiedJedis.class)
          .getConstructor(String.class, int.class)
          .newInstance(uri.getHost(), uri.getPort());
    }
  }

  @SuppressWarnings("deprecation") // The newer class is not there in Jedis 6.
  private static UnifiedJedis clusterClient(HostAndPort node) {
    return new JedisCluster(node);
  }
}
