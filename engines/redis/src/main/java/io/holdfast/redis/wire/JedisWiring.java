package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
  private final @Nullable StartCheck check;

  private JedisWiring(UnifiedJedis jedis, @Nullable StartCheck check) {
    this.jedis = jedis;
    this.check = check;
  }

  /**
   * Over a client of any topology, whose servers nobody looks at.
   *
   * @throws IllegalArgumentException for a profile that needs connections of its own
   */
  public static Wiring over(UnifiedJedis jedis, boolean strict, int minReplicas) {
    Borrowed.check(strict, minReplicas);
    return new JedisWiring(jedis, null);
  }

  /** Over a client of any topology, whose servers are looked at whenever a lane connects. */
  public static Wiring over(UnifiedJedis jedis, StartCheck check) {
    return new JedisWiring(jedis, check);
  }

  @Override
  public Wire connect() throws EngineException {
    JedisWire wire = new JedisWire(jedis, ADDRESS);
    if (check != null && isOfCluster()) {
      lookAtMasters(check);
    } else if (check != null) {
      check.look(ADDRESS, wire);
    }
    return wire;
  }

  /** A node that does not answer is the cluster's business, as long as another does. */
  private void lookAtMasters(StartCheck by) throws EngineException {
    EngineException.@Nullable NotDone away = null;
    boolean seen = false;
    for (PoolWire node : nodes()) {
      try {
        by.look(node.address(), node);
        seen = true;
      } catch (EngineException.NotDone e) {
        // A replica, too: it is looked at when it has become a master.
        away = e;
      }
    }
    if (away != null && !seen) {
      throw away;
    }
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return JedisSubscription.start(jedis, ADDRESS, listener);
  }

  /** All of them or none: a part of the list would look like the whole. */
  @Override
  public List<Wire> masters() throws EngineException {
    if (!isOfCluster()) {
      return List.of(new JedisWire(jedis, ADDRESS));
    }
    List<Wire> masters = new ArrayList<>();
    for (PoolWire node : nodes()) {
      if (ServerFacts.of(node).isMaster()) {
        masters.add(node);
      }
    }
    return masters;
  }

  private boolean isOfCluster() {
    return JedisKind.of(jedis) == JedisKind.CLUSTER;
  }

  private List<PoolWire> nodes() throws EngineException {
    try {
      List<PoolWire> nodes = new ArrayList<>();
      JedisKind.nodes(jedis).forEach((address, pool) -> nodes.add(new PoolWire(address, pool)));
      if (nodes.isEmpty()) {
        throw new EngineException.NotDone(ADDRESS + " knows no node of its cluster", null);
      }
      return nodes;
    } catch (JedisException e) {
      throw new EngineException.NotDone(ADDRESS + " finds no node: " + e.getMessage(), e);
    }
  }

  /** What is not known to talk to one server may be a cluster under another class. */
  @Override
  public boolean isSpread() {
    return JedisKind.of(jedis) != JedisKind.ONE_SERVER;
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
