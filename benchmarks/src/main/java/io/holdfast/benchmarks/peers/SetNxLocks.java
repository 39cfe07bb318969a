package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.RedisAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/**
 * The well-known recipe, and the floor of Redis: SET NX PX and a compare-and-delete.
 *
 * <p>One trip for each, over a connection for every thread. Waiters poll. Nothing renews the lease.
 */
final class SetNxLocks {

  private static final String DROP =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

  private static final int MOST_CONNECTIONS = 1000;

  private record Held(String name, String value) {}

  private final ConnectionPool pool;
  private final String dropScript;
  private final long leaseMillis;

  private SetNxLocks(ConnectionPool pool, String dropScript, long leaseMillis) {
    this.pool = pool;
    this.dropScript = dropScript;
    this.leaseMillis = leaseMillis;
  }

  static Contender.Session open(Peer.Target target) {
    RedisAddress address = PeerAddresses.redis(target.store());
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
      String sha = new String((byte[]) connection.getOne(), StandardCharsets.US_ASCII);
      SetNxLocks locks = new SetNxLocks(pool, sha, target.lease().toMillis());
      return new PeerSession(locks::caller, pool);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private Contender.Caller caller() {
    UniqueValues values = new UniqueValues();
    return new PeerCaller<>(name -> take(name, values.next()), this::giveBack);
  }

  private Held take(String name, String value) throws Exception {
    PollingWait.until(
        () -> {
          try (Connection connection = pool.getResource()) {
            connection.sendCommand(
                Command.SET, name, value, "NX", "PX", Long.toString(leaseMillis));
            return connection.getOne() != null;
          }
        });
    return new Held(name, value);
  }

  private void giveBack(Held held) {
    try (Connection connection = pool.getResource()) {
      connection.sendCommand(Command.EVALSHA, dropScript, "1", held.name(), held.value());
      PeerCaller.requireHeld(Long.valueOf(1).equals(connection.getOne()));
    }
  }

  /** Values that no other caller uses: a random part and a count. */
  static final class UniqueValues {
    private final String owner = Long.toHexString(ThreadLocalRandom.current().nextLong());
    private long count;

    String next() {
      return owner + ":" + ++count;
    }
  }
}
