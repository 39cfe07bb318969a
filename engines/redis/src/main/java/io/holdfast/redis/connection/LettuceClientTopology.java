package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;

/**
 * A store behind a caller-supplied Lettuce client, for one server or Sentinel.
 *
 * <p>The client stays open when this is closed; each lane and the signals have their own connection
 * of it.
 */
public final class LettuceClientTopology implements ServerTopology {

  static final String ADDRESS = "redis (the program's own Lettuce client)";

  private final RedisClient client;
  private final Duration timeout;
  private final ServerCheck check;

  private LettuceClientTopology(RedisClient client, Duration timeout, ServerCheck check) {
    this.client = client;
    this.timeout = timeout;
    this.check = check;
  }

  /**
   * Creates a topology over a client that knows its server.
   *
   * @throws IllegalArgumentException for a profile that needs connections of its own
   */
  public static ServerTopology over(
      RedisClient client, Duration operationTimeout, boolean strict, int minReplicas) {
    CallerSupplied.check(strict, minReplicas);
    return over(client, operationTimeout, new ServerCheck(strict));
  }

  /**
   * Creates a topology over a client that knows its server, which is checked when a lane connects.
   */
  public static ServerTopology over(
      RedisClient client, Duration operationTimeout, ServerCheck check) {
    return new LettuceClientTopology(client, operationTimeout.multipliedBy(9).dividedBy(10), check);
  }

  @Override
  public LaneConnection connect() throws EngineException {
    LettuceClientConnection connection = open();
    boolean done = false;
    try {
      check.look(ADDRESS, connection);
      done = true;
      return connection;
    } finally {
      if (!done) {
        connection.close();
      }
    }
  }

  private LettuceClientConnection open() throws EngineException {
    try {
      return LettuceClientConnection.toServer(
          client.connect(ByteArrayCodec.INSTANCE), ADDRESS, timeout);
    } catch (RedisException e) {
      throw new EngineException.NotDone("no connection to " + ADDRESS + ": " + e.getMessage(), e);
    } catch (IllegalStateException e) {
      throw new EngineException.Refused(
          ADDRESS
              + " has no address of its own, like that of a fixed list of a master and replicas: "
              + "supply one for a server, Sentinel or a cluster ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return LettuceSubscription.start(client::connectPubSub, ADDRESS, listener);
  }

  @Override
  public List<LaneConnection> masters() throws EngineException {
    return List.of(connect());
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
