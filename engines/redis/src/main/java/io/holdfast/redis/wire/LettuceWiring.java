package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;

/**
 * The wiring over a Lettuce client of the program's own, for one server or Sentinel. The client
 * stays open when this is closed; each lane and the signals have a connection of their own from it.
 */
public final class LettuceWiring implements Wiring {

  private static final String ADDRESS = "redis (the program's own Lettuce client)";

  private final RedisClient client;
  private final Duration timeout;
  private final StartCheck check;

  private LettuceWiring(RedisClient client, Duration timeout, StartCheck check) {
    this.client = client;
    this.timeout = timeout;
    this.check = check;
  }

  /**
   * Over a client that knows its server.
   *
   * @throws IllegalArgumentException for a profile that needs connections of its own
   */
  public static Wiring over(
      RedisClient client, Duration operationTimeout, boolean strict, int minReplicas) {
    Borrowed.check(strict, minReplicas);
    return over(client, operationTimeout, new StartCheck(strict));
  }

  /** Over a client that knows its server, which is looked at whenever a lane connects. */
  public static Wiring over(RedisClient client, Duration operationTimeout, StartCheck check) {
    return new LettuceWiring(client, operationTimeout.multipliedBy(9).dividedBy(10), check);
  }

  @Override
  public Wire connect() throws EngineException {
    LettuceWire wire = open();
    boolean done = false;
    try {
      check.look(ADDRESS, wire);
      done = true;
      return wire;
    } finally {
      if (!done) {
        wire.close();
      }
    }
  }

  private LettuceWire open() throws EngineException {
    try {
      return new LettuceWire(client.connect(ByteArrayCodec.INSTANCE), ADDRESS, timeout);
    } catch (RedisException e) {
      throw new EngineException.NotDone("no connection to " + ADDRESS + ": " + e.getMessage(), e);
    }
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return LettuceSubscription.start(client, ADDRESS, listener);
  }

  @Override
  public List<Wire> masters() throws EngineException {
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
