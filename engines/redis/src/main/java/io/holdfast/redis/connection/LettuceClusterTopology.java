package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A cluster behind a caller-supplied Lettuce client.
 *
 * <p>The client stays open when this is closed; each lane and the signals have their own connection
 * of it. The client follows slots that move, as far as its options for topology refreshes let it.
 *
 * <p>Channels are plain ones, which every node has.
 */
public final class LettuceClusterTopology implements ServerTopology {

  private static final String ADDRESS = LettuceClientTopology.ADDRESS;

  private static final String NOT_REFRESHED =
      ADDRESS
          + " does not refresh its view of the cluster: locks of a master that fails stay"
          + " unavailable after the failover; enable periodic and adaptive refreshes in the"
          + " ClusterTopologyRefreshOptions of the client";

  private final Supplier<RedisClusterClient> clients;
  private final Duration timeout;
  private final ServerCheck check;

  private LettuceClusterTopology(
      Supplier<RedisClusterClient> clients, Duration timeout, ServerCheck check) {
    this.clients = clients;
    this.timeout = timeout;
    this.check = check;
  }

  /** Creates a topology over clients whose masters are checked when a lane connects. */
  public static ServerTopology over(
      Supplier<RedisClusterClient> clients, Duration operationTimeout, ServerCheck check) {
    return new LettuceClusterTopology(
        clients, operationTimeout.multipliedBy(9).dividedBy(10), check);
  }

  @Override
  public LaneConnection connect() throws EngineException {
    lookAtMasters();
    return LettuceClientConnection.toCluster(open(), ADDRESS, timeout);
  }

  private StatefulRedisClusterConnection<byte[], byte[]> open() throws EngineException {
    try {
      RedisClusterClient client = clients.get();
      check.client(ADDRESS, isRefreshed(client) ? List.of() : List.of(NOT_REFRESHED));
      return client.connect(ByteArrayCodec.INSTANCE);
    } catch (RedisException e) {
      throw LettuceClientTopology.failure(e);
    } catch (IllegalStateException e) {
      // It was shut down. The next one may not be.
      throw new EngineException.NotDone("no connection to " + ADDRESS + ": " + e.getMessage(), e);
    }
  }

  /** Options may be set as long as nothing is connected; those of Lettuce 6 refresh nothing. */
  private static boolean isRefreshed(RedisClusterClient client) {
    if (!(client.getOptions() instanceof ClusterClientOptions options)) {
      return false;
    }
    ClusterTopologyRefreshOptions refreshes = options.getTopologyRefreshOptions();
    return refreshes.isPeriodicRefreshEnabled()
        || !refreshes.getAdaptiveRefreshTriggers().isEmpty();
  }

  /** A master that does not reply is no failure, as long as another one does. */
  private void lookAtMasters() throws EngineException {
    EngineException.NotDone away =
        new EngineException.NotDone(ADDRESS + " knows no master of its cluster", null);
    boolean seen = false;
    StatefulRedisClusterConnection<byte[], byte[]> connection = open();
    try {
      for (RedisClusterNode node : mastersKnown(connection)) {
        try {
          check.look(address(node), at(connection, node, () -> {}));
          seen = true;
        } catch (EngineException.NotDone e) {
          away = e;
        }
      }
    } finally {
      connection.close();
    }
    if (!seen) {
      throw away;
    }
  }

  private static List<RedisClusterNode> mastersKnown(
      StatefulRedisClusterConnection<byte[], byte[]> connection) {
    return connection.getPartitions().stream()
        .filter(node -> node.getRole().isUpstream() && !node.hasNoSlots())
        .toList();
  }

  private static String address(RedisClusterNode node) {
    return node.getUri().getHost() + ":" + node.getUri().getPort();
  }

  private LettuceClientConnection at(
      StatefulRedisClusterConnection<byte[], byte[]> connection,
      RedisClusterNode node,
      Runnable onClose)
      throws EngineException {
    try {
      StatefulRedisConnection<byte[], byte[]> toNode = connection.getConnection(node.getNodeId());
      return LettuceClientConnection.toNode(toNode, address(node), timeout, onClose);
    } catch (RedisException e) {
      throw new EngineException.NotDone(
          "no connection to " + address(node) + ": " + e.getMessage(), e);
    }
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return LettuceSubscription.start(clients, RedisClusterClient::connectPubSub, ADDRESS, listener);
  }

  /** Returns all of them or fails: a part of the list would look like the whole. */
  @Override
  public List<LaneConnection> masters() throws EngineException {
    StatefulRedisClusterConnection<byte[], byte[]> connection = open();
    List<RedisClusterNode> nodes = mastersKnown(connection);
    AtomicInteger open = new AtomicInteger(nodes.size());
    Runnable closeWithLast =
        () -> {
          if (open.decrementAndGet() == 0) {
            connection.close();
          }
        };
    List<LaneConnection> masters = new ArrayList<>();
    boolean done = false;
    try {
      for (RedisClusterNode node : nodes) {
        masters.add(at(connection, node, closeWithLast));
      }
      if (masters.isEmpty()) {
        throw new EngineException.NotDone(ADDRESS + " knows no master of its cluster", null);
      }
      done = true;
      return masters;
    } finally {
      if (!done) {
        connection.close();
      }
    }
  }

  @Override
  public boolean isSpread() {
    return true;
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
