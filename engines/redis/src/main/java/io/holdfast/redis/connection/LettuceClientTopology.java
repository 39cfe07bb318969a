package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A store behind a caller-supplied Lettuce client, for one server or Sentinel.
 *
 * <p>The client stays open when this is closed; each lane and the signals have their own connection
 * of it.
 */
public final class LettuceClientTopology implements ServerTopology {

  static final String ADDRESS = "redis (the program's own Lettuce client)";

  private final Supplier<RedisClient> clients;
  private final Duration timeout;
  private final ServerCheck check;

  private LettuceClientTopology(
      Supplier<RedisClient> clients, Duration timeout, ServerCheck check) {
    this.clients = clients;
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
    return over(() -> client, operationTimeout, new ServerCheck(strict));
  }

  /**
   * Creates a topology over clients that know their server, which is checked when a lane connects.
   */
  public static ServerTopology over(
      Supplier<RedisClient> clients, Duration operationTimeout, ServerCheck check) {
    return new LettuceClientTopology(
        clients, operationTimeout.multipliedBy(9).dividedBy(10), check);
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
          clients.get().connect(ByteArrayCodec.INSTANCE), ADDRESS, timeout);
    } catch (RedisException e) {
      throw failure(e);
    } catch (IllegalStateException e) {
      if (!String.valueOf(e.getMessage()).startsWith("RedisURI")) {
        // It was shut down. The next one may not be.
        throw new EngineException.NotDone("no connection to " + ADDRESS + ": " + e.getMessage(), e);
      }
      throw new EngineException.Refused(
          ADDRESS
              + " has no address of its own, like that of a fixed list of a master and replicas: "
              + "supply one for a server, Sentinel or a cluster ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** Lettuce words a refused login as a failure to connect; the server's own word is a cause. */
  static EngineException failure(RedisException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisCommandExecutionException && cause.getMessage() != null) {
        return ServerErrors.ofLogin(cause.getMessage(), ADDRESS);
      }
    }
    return new EngineException.NotDone("no connection to " + ADDRESS + ": " + e.getMessage(), e);
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return LettuceSubscription.start(clients, RedisClient::connectPubSub, ADDRESS, listener);
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
