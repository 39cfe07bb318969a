package io.holdfast.redis.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The wiring over a Jedis client of the program's own, which stays open when this is closed. How
 * long a call may take, how servers are found and whom they let in is that client's business; a
 * call cannot be broken off earlier. Listening takes one connection of its pool.
 *
 * <p>Channels are plain ones, also in a cluster, where any node has them.
 */
public final class JedisWiring implements Wiring {

  private static final String ADDRESS = "redis (the program's own Jedis client)";

  private final UnifiedJedis jedis;

  private JedisWiring(UnifiedJedis jedis) {
    this.jedis = jedis;
  }

  /**
   * Over a client of any topology.
   *
   * @throws IllegalArgumentException for a profile that needs connections of its own
   */
  public static Wiring over(UnifiedJedis jedis, boolean strict, int minReplicas) {
    Borrowed.check(strict, minReplicas);
    return new JedisWiring(jedis);
  }

  @Override
  public Wire connect() {
    return new JedisWire(jedis, ADDRESS);
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return JedisSubscription.start(jedis, ADDRESS, listener);
  }

  @Override
  public List<Wire> masters() {
    List<Wire> wires = new ArrayList<>();
    for (ConnectionPool pool : nodes().values()) {
      PoolWire wire = new PoolWire(pool);
      if (wire.isMaster()) {
        wires.add(wire);
      }
    }
    return wires.isEmpty() ? List.of(connect()) : wires;
  }

  @SuppressWarnings("deprecation") // Programs still have the older class.
  private Map<String, ConnectionPool> nodes() {
    try {
      if (jedis instanceof RedisClusterClient cluster) {
        return cluster.getClusterNodes();
      }
      return jedis instanceof JedisCluster cluster ? cluster.getClusterNodes() : Map.of();
    } catch (JedisException e) {
      return Map.of();
    }
  }

  @Override
  public boolean isCluster() {
    return false;
  }

  @Override
  public String address() {
    return ADDRESS;
  }

  @Override
  public void close() {}
}
