package io.holdfast.benchmarks;

import io.holdfast.cli.bench.StoreKind;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The servers that a run starts for itself, each when it is first needed. */
final class RunServers implements AutoCloseable {

  private static final String DATABASE = "bench";

  /** Lets Holdfast make its tables. */
  private static final String CREATE = "holdfast.create=true";

  private final Path folder;
  private @Nullable RedisServer redis;
  private @Nullable EtcdServer etcd;
  private @Nullable PostgresServer postgres;
  private @Nullable MariaDbServer mariaDb;
  private @Nullable ZooKeeperServer zooKeeper;

  /**
   * None yet.
   *
   * @param folder of the run, for stores that are files
   */
  RunServers(Path folder) {
    this.folder = folder;
  }

  /** The URI of a store: an empty one, or the URI that an earlier call returned. */
  String uri(StoreKind kind) {
    return switch (kind) {
      case REDIS -> redis();
      case ETCD -> etcd();
      case POSTGRES -> postgres();
      case MARIADB -> mariaDb();
      case ZOOKEEPER -> zooKeeper();
      case SQLITE -> StoreKind.SQLITE.prefix() + folder.resolve("locks.db") + "?" + CREATE;
    };
  }

  /** A server that keeps nothing on disk. */
  private String redis() {
    if (redis == null) {
      redis = RedisServer.start();
    }
    return redis.uri();
  }

  /** A cluster of one: what it has committed is on disk. */
  private String etcd() {
    if (etcd == null) {
      etcd = EtcdServer.start();
    }
    return etcd.uri();
  }

  /** A server with its defaults: what it has committed is on disk. */
  private String postgres() {
    if (postgres == null) {
      postgres = PostgresServer.start();
      postgres.createDatabase(DATABASE);
    }
    return postgres.jdbcUri(DATABASE, postgres.user()) + "&" + CREATE;
  }

  /** A server with its defaults: what it has committed is on disk. */
  private String mariaDb() {
    if (mariaDb == null) {
      mariaDb = MariaDbServer.start();
      mariaDb.createDatabase(DATABASE);
    }
    return mariaDb.jdbcUri(DATABASE, mariaDb.user()) + "&" + CREATE;
  }

  /**
   * A server with its usual tick, which allows the default lease: what it has confirmed is on disk.
   */
  private String zooKeeper() {
    if (zooKeeper == null) {
      zooKeeper =
          ZooKeeperServer.start(
              ZooKeeperServerOptions.PLAIN
                  .withTick(Duration.ofSeconds(2))
                  .with("forceSync", "yes"));
    }
    return zooKeeper.uri();
  }

  /** Stops them. */
  @Override
  public void close() {
    if (redis != null) {
      redis.close();
    }
    if (etcd != null) {
      etcd.close();
    }
    if (postgres != null) {
      postgres.close();
    }
    if (mariaDb != null) {
      mariaDb.close();
    }
    if (zooKeeper != null) {
      zooKeeper.close();
    }
  }
}
