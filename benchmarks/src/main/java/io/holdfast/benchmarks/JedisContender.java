package io.holdfast.benchmarks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/**
 * What everybody writes first, and the floor of a server: SET NX PX, a compare-and-delete, and one
 * trip for each, over a connection for every thread. Who does not get in asks again a little later.
 */
final class JedisContender implements Contender {

  private static final String DROP =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

  private static final int MOST_CONNECTIONS = 1000;

  private final RedisAddress address;
  private final Duration lease;

  /**
   * A contender over a server that need not be up yet.
   *
   * @param lease after which a lock is free again; nothing renews it
   */
  JedisContender(RedisAddress address, Duration lease) {
    this.address = address;
    this.lease = lease;
  }

  @Override
  public String name() {
    return RedisPeers.JEDIS;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) {
    ConnectionPoolConfig size = new ConnectionPoolConfig();
    size.setMaxTotal(MOST_CONNECTIONS);
    size.setMaxIdle(MOST_CONNECTIONS);
    ConnectionPool pool =
        new ConnectionPool(
            new HostAndPort(address.host(), address.port()),
            DefaultJedisClientConfig.builder().build(),
            size);
    try (Connection connection = pool.getResource()) {
      connection.sendCommand(Command.SCRIPT, "LOAD", DROP);
      byte[] sha = (byte[]) connection.getOne();
      return new Pooled(pool, new String(sha, StandardCharsets.US_ASCII), lease.toMillis());
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private record Pooled(ConnectionPool pool, String drop, long millis) implements Session {

    @Override
    public Caller caller() {
      return new KeyCaller(this);
    }

    boolean take(String name, String value) {
      try (Connection connection = pool.getResource()) {
        connection.sendCommand(Command.SET, name, value, "NX", "PX", Long.toString(millis));
        return connection.getOne() != null;
      }
    }

    boolean drop(String name, String value) {
      try (Connection connection = pool.getResource()) {
        connection.sendCommand(Command.EVALSHA, drop, "1", name, value);
        return Long.valueOf(1).equals(connection.getOne());
      }
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  private static final class KeyCaller implements Caller {
    private final Pooled pooled;
    private final String owner = Long.toHexString(ThreadLocalRandom.current().nextLong());
    private long count;
    private @Nullable String held;

    KeyCaller(Pooled pooled) {
      this.pooled = pooled;
    }

    @Override
    public long acquire(String name) throws Exception {
      count++;
      Asking.untilYes(() -> pooled.take(name, value()));
      held = name;
      return NO_TOKEN;
    }

    @Override
    public void release() {
      if (!pooled.drop(Objects.requireNonNull(held), value())) {
        throw new IllegalStateException("it had been lost");
      }
    }

    private String value() {
      return owner + ":" + count;
    }
  }
}
