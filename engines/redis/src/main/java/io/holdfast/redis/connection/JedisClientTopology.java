package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A store behind a caller-supplied Jedis client, which stays open when this is closed.
 *
 * <p>The client decides how long a call may take, how servers are found and how it logs in; a call
 * cannot be broken off earlier. A subscription takes one connection of its pool.
 *
 * <p>Channels are plain ones, even in a cluster, where every node has them.
 */
public final class JedisClientTopology implements ServerTopology {

  private static final String ADDRESS = "redis (the program's own Jedis client)";

  private final UnifiedJedis jedis;
  private final @Nullable ServerCheck check;

  private JedisClientTopology(UnifiedJedis jedis, @Nullable ServerCheck check) {
    this.jedis = jedis;
    this.check = check;
  }

  /**
   * Creates a topology over a client of any kind, whose servers are not checked.
   *
   * @throws IllegalArgumentException for a profile that needs connections of its own
   */
  public static ServerTopology over(UnifiedJedis jedis, boolean strict, int minReplicas) {
    CallerSupplied.check(strict, minReplicas);
    return new JedisClientTopology(jedis, null);
  }

  /**
   * Creates a topology over a client of any kind, whose servers are checked when a lane connects.
   */
  public static ServerTopology over(UnifiedJedis jedis, ServerCheck check) {
    return new JedisClientTopology(jedis, check);
  }

  @Override
  public LaneConnection connect() throws EngineException {
    JedisClientConnection connection = new JedisClientConnection(jedis, ADDRESS);
    if (check != null && isOfCluster()) {
      lookAtMasters(check);
    } else if (check != null) {
      check.look(ADDRESS, connection);
    }
    return connection;
  }

  /** A node that does not reply is no failure, as long as another one does. */
  private void lookAtMasters(ServerCheck by) throws EngineException {
    EngineException.@Nullable NotDone away = null;
    boolean seen = false;
    for (NodeConnection node : nodes()) {
      try {
        by.look(node.address(), node);
        seen = true;
      } catch (EngineException.NotDone e) {
        // Replicas too: a replica is checked when it has become a master.
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

  /** Returns all of them or fails: a part of the list would look like the whole. */
  @Override
  public List<LaneConnection> masters() throws EngineException {
    if (!isOfCluster()) {
      return List.of(new JedisClientConnection(jedis, ADDRESS));
    }
    List<LaneConnection> masters = new ArrayList<>();
    for (NodeConnection node : nodes()) {
      if (ServerInfo.of(node).isMaster()) {
        masters.add(node);
      }
    }
    return masters;
  }

  private boolean isOfCluster() {
    return JedisClientKind.of(jedis) == JedisClientKind.CLUSTER;
  }

  private List<NodeConnection> nodes() throws EngineException {
    try {
      List<NodeConnection> nodes = new ArrayList<>();
      JedisClientKind.nodes(jedis)
          .forEach((address, pool) -> nodes.add(new NodeConnection(address, pool)));
      if (nodes.isEmpty()) {
        throw new EngineException.NotDone(ADDRESS + " knows no node of its cluster", null);
      }
      return nodes;
    } catch (JedisException e) {
      throw new EngineException.NotDone(ADDRESS + " finds no node: " + e.getMessage(), e);
    }
  }

  /** Returns true for a client of unknown kind too, which may be a cluster. */
  @Override
  public boolean isSpread() {
    return JedisClientKind.of(jedis) != JedisClientKind.ONE_SERVER;
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

  /** Commands to one node of a cluster client, for scanning its keys. */
  private static final class NodeConnection implements LaneConnection {

    private final String address;
    private final ConnectionPool pool;

    NodeConnection(String address, ConnectionPool pool) {
      this.address = address;
      this.pool = pool;
    }

    String address() {
      return address;
    }

    @Override
    public List<ScriptReply> run(List<ScriptCall> calls) {
      EngineException why = new EngineException.NotDone("this connection takes no calls", null);
      return calls.stream().map(call -> (ScriptReply) new ScriptReply.Failed(why)).toList();
    }

    @Override
    public ScriptReply command(byte[]... parts) {
      PendingCall pendingCall = PendingCall.of(parts);
      CommandArguments arguments = new CommandArguments(() -> parts[0]);
      arguments.addObjects((Object[]) Arrays.copyOfRange(parts, 1, parts.length));
      try (Connection connection = pool.getResource()) {
        @Nullable Object value = connection.executeCommand(arguments);
        pendingCall.answer(
            value == null ? ScriptReply.Nil.NIL : value, ScriptReply.NOT_ASKED, address);
      } catch (JedisDataException e) {
        pendingCall.answer(e, ScriptReply.NOT_ASKED, address);
      } catch (JedisException e) {
        pendingCall.fail(
            new EngineException.Unknown(address + " lost the connection: " + e.getMessage(), e));
      }
      return PendingCall.replies(List.of(pendingCall)).get(0);
    }

    @Override
    public void close() {}
  }
}
