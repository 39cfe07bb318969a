package io.holdfast.torture;

import io.holdfast.redis.RedisEngine;
import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.servers.EtcdCluster;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PeerPartition;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ZooKeeperEnsemble;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** The stores that the program starts by itself. */
final class Stores {
  private static final String DATABASE = "torture";
  private static final Duration OPERATION = Duration.ofSeconds(5);

  /** How long after a promotion the sentinels name the new master: they look once a second. */
  private static final double NAMED_SECONDS = 2;

  /** What is left of a lease at any moment, as leases are kept alive every third of their time. */
  private static final double LEFT_OF_A_LEASE = 2.0 / 3;

  private Stores() {}

  /** Starts a store by its word. */
  static StoreUnderTest start(String word, Duration lease) {
    return switch (word) {
      case "redis" -> redis();
      case "redis-sentinel" -> sentinels(lease, true);
      case "redis-sentinel-default" -> sentinels(lease, false);
      case "redis-cluster" -> cluster(lease, true);
      case "redis-cluster-default" -> cluster(lease, false);
      case "postgresql" -> postgres();
      case "mysql" -> mySql();
      case "mariadb" -> mariaDb();
      case "zookeeper" -> zooKeeper(lease);
      case "etcd" -> etcd();
      default -> throw new BadOptionException("no such store: " + word);
    };
  }

  /** One server that has every acknowledged write on disk: it forgets nothing in a restart. */
  private static StoreUnderTest redis() {
    RedisServer server = RedisServer.startDurable();
    return new ConfiguredStore(server.uri(), List.of(server.port()), server::close)
        .with(killed(server::process))
        .with(stopped(server::process));
  }

  private static StoreUnderTest sentinels(Duration lease, boolean strict) {
    RedisSentinels all = RedisSentinels.start(1, strict ? strictServers() : plainServers());
    ConfiguredStore store =
        new ConfiguredStore(all.uri() + parameters(lease, strict), List.of(), all::close)
            .withPorts(ports(all.servers(), all.sentinels()), false)
            .withQuiet(strict ? quarantine(lease) : Duration.ZERO)
            .with(plannedFailover(all))
            .with(
                new StoreFault(
                    FaultKind.LEADER_KILLED,
                    2,
                    0.1,
                    1.0,
                    (time, duration, random) -> {
                      RedisServer old = all.master();
                      RedisServer ignored = all.failover();
                      time.sleep(duration);
                      all.bringBack(old);
                      return old.toString();
                    }))
            .with(
                new StoreFault(
                    FaultKind.LEADER_STOPPED,
                    2,
                    0.3,
                    2.0,
                    (time, duration, random) -> {
                      RedisServer old = all.master();
                      pause(old.process(), time, duration);
                      all.awaitReady();
                      return old.toString();
                    }))
            .with(
                new StoreFault(
                    FaultKind.SERVER_STOPPED,
                    1,
                    0.3,
                    2.0,
                    (time, duration, random) -> {
                      RedisServer one = all.replicas().get(0);
                      pause(one.process(), time, duration);
                      all.awaitReady();
                      return one.toString();
                    }));
    if (!strict) {
      return store
          .withKnownAnnounced(FaultKind.PLANNED_FAILOVER, NAMED_SECONDS)
          .withKnown(0, FaultKind.LEADER_KILLED, FaultKind.LEADER_STOPPED);
    }
    return begun(store);
  }

  /** Ends with the promotion; it is whole when the former master is a replica, seconds later. */
  private static StoreFault plannedFailover(RedisSentinels all) {
    return new StoreFault(
        FaultKind.PLANNED_FAILOVER,
        3,
        0.1,
        0.5,
        (time, duration, random) -> all.promote().toString(),
        all::awaitOneMaster);
  }

  private static StoreUnderTest cluster(Duration lease, boolean strict) {
    RedisCluster all = RedisCluster.start(strict ? strictServers() : plainServers());
    ConfiguredStore store =
        new ConfiguredStore(all.uri() + parameters(lease, strict), List.of(), all::close)
            .withPorts(ports(all.servers(), List.of()), false)
            .withQuiet(strict ? quarantine(lease) : Duration.ZERO)
            .with(
                new StoreFault(
                    FaultKind.PLANNED_FAILOVER,
                    3,
                    0.1,
                    0.5,
                    (time, duration, random) -> {
                      RedisServer old = any(all.masters(), random);
                      RedisServer next = all.replicasOf(old).get(0);
                      String said = next.call("CLUSTER", "FAILOVER");
                      time.sleep(duration);
                      all.awaitReady();
                      return old + " (" + said + ")";
                    }))
            .with(
                new StoreFault(
                    FaultKind.LEADER_KILLED,
                    2,
                    0.1,
                    1.0,
                    (time, duration, random) -> {
                      RedisServer old = any(all.masters(), random);
                      old.process().kill9();
                      // Some come back before anybody has noticed, others after a takeover.
                      time.sleep(duration);
                      all.restart(old);
                      return old.toString();
                    }))
            .with(
                new StoreFault(
                    FaultKind.LEADER_STOPPED,
                    2,
                    0.2,
                    2.0,
                    (time, duration, random) -> {
                      RedisServer old = any(all.masters(), random);
                      pause(old.process(), time, duration);
                      all.awaitReady();
                      return old.toString();
                    }));
    if (!strict) {
      // A planned failover loses nothing: the former master stops first and redirects afterwards.
      return store.withKnown(0, FaultKind.LEADER_KILLED, FaultKind.LEADER_STOPPED);
    }
    return begun(store);
  }

  private static StoreUnderTest postgres() {
    PostgresServer server = PostgresServer.start();
    server.createDatabase(DATABASE);
    return new ConfiguredStore(
            server.jdbcUri(DATABASE, server.user()), List.of(server.port()), server::close)
        .with(killed(server::process))
        .with(stopped(server::process))
        .with(sessionsEnded(server::terminateBackends, server));
  }

  private static StoreUnderTest mySql() {
    if (!MySqlServer.isAvailable()) {
      throw new IllegalStateException(MySqlServer.MISSING);
    }
    MySqlServer server = MySqlServer.start();
    server.createDatabase(DATABASE);
    return new ConfiguredStore(
            server.jdbcUri(DATABASE, server.user()), List.of(server.port()), server::close)
        .with(killed(server::process))
        .with(stopped(server::process))
        .with(sessionsEnded(server::terminateConnections, server));
  }

  private static StoreUnderTest mariaDb() {
    MariaDbServer server = MariaDbServer.start();
    server.createDatabase(DATABASE);
    return new ConfiguredStore(
            server.jdbcUri(DATABASE, server.user()), List.of(server.port()), server::close)
        .with(killed(server::process))
        .with(stopped(server::process))
        .with(sessionsEnded(server::terminateConnections, server));
  }

  private static StoreUnderTest zooKeeper(Duration lease) {
    // Sessions last 2 to 20 ticks.
    Duration tick = Duration.ofMillis(Math.max(200, lease.toMillis() / 10));
    ZooKeeperEnsemble all = ZooKeeperEnsemble.start(ZooKeeperServerOptions.PLAIN.withTick(tick));
    return new ConfiguredStore(
            all.uri(), all.members().stream().map(ZooKeeperServer::port).toList(), all::close)
        .with(
            new StoreFault(
                FaultKind.LEADER_KILLED,
                2,
                0.1,
                1.0,
                (time, duration, random) -> {
                  ZooKeeperServer old = all.awaitLeader();
                  old.process().kill9();
                  time.sleep(duration);
                  old.process().restart();
                  all.awaitAll();
                  return old.toString();
                }))
        .with(
            new StoreFault(
                FaultKind.LEADER_STOPPED,
                2,
                0.3,
                2.0,
                (time, duration, random) -> {
                  ZooKeeperServer old = all.awaitLeader();
                  pause(old.process(), time, duration);
                  all.awaitAll();
                  return old.toString();
                }))
        .with(
            new StoreFault(
                FaultKind.SERVER_STOPPED,
                1,
                0.3,
                2.0,
                (time, duration, random) -> {
                  ZooKeeperServer one = all.follower();
                  pause(one.process(), time, duration);
                  all.awaitAll();
                  return one.toString();
                }))
        .with(
            new StoreFault(
                FaultKind.SERVER_KILLED,
                1,
                0.1,
                1.0,
                (time, duration, random) -> {
                  ZooKeeperServer one = all.follower();
                  one.process().kill9();
                  time.sleep(duration);
                  one.process().restart();
                  all.awaitAll();
                  return one.toString();
                }))
        .with(
            new StoreFault(
                FaultKind.MEMBER_CUT_OFF,
                2,
                0.3,
                1.5,
                (time, duration, random) -> {
                  ZooKeeperServer one = any(all.members(), random);
                  all.cutOff(one);
                  try {
                    time.sleep(duration);
                  } finally {
                    all.heal(one);
                  }
                  all.awaitAll();
                  return one.toString();
                }));
  }

  private static StoreUnderTest etcd() {
    EtcdCluster all = EtcdCluster.start();
    ConfiguredStore store =
        new ConfiguredStore(
                all.uri(), all.members().stream().map(EtcdServer::port).toList(), all::close)
            .with(
                new StoreFault(
                    FaultKind.LEADER_KILLED,
                    2,
                    0.1,
                    1.0,
                    (time, duration, random) -> {
                      EtcdServer old = all.member(all.leader());
                      old.process().kill9();
                      time.sleep(duration);
                      old.process().restart();
                      int ignored = all.leader();
                      return old.toString();
                    }))
            .with(
                new StoreFault(
                    FaultKind.LEADER_STOPPED,
                    2,
                    0.3,
                    2.0,
                    (time, duration, random) -> {
                      EtcdServer old = all.member(all.leader());
                      pause(old.process(), time, duration);
                      int ignored = all.leader();
                      return old.toString();
                    }))
            .with(
                new StoreFault(
                    FaultKind.SERVER_STOPPED,
                    1,
                    0.3,
                    2.0,
                    (time, duration, random) -> {
                      EtcdServer one = all.member(all.follower());
                      pause(one.process(), time, duration);
                      return one.toString();
                    }))
            .with(
                new StoreFault(
                    FaultKind.SERVER_KILLED,
                    1,
                    0.1,
                    1.0,
                    (time, duration, random) -> {
                      EtcdServer one = all.member(all.follower());
                      one.process().kill9();
                      time.sleep(duration);
                      one.process().restart();
                      return one.toString();
                    }))
            .withKnown(LEFT_OF_A_LEASE, FaultKind.LEADER_STOPPED);
    if (NetworkNamespaces.areInside()) {
      return store.with(
          new StoreFault(
              FaultKind.MEMBER_CUT_OFF,
              2,
              0.3,
              1.5,
              (time, duration, random) -> {
                int index = random.nextInt(all.members().size());
                try (PeerPartition ignored = all.cutOff(index)) {
                  time.sleep(duration);
                }
                int leader = all.leader();
                return all.member(index) + (leader == index ? ", which leads" : "");
              }));
    }
    return store;
  }

  private static StoreFault killed(Supplier<ServerProcess> server) {
    return new StoreFault(
        FaultKind.SERVER_KILLED,
        2,
        0.0,
        0.7,
        (time, duration, random) -> {
          server.get().kill9();
          time.sleep(duration);
          server.get().restart();
          return server.get().toString();
        });
  }

  private static StoreFault stopped(Supplier<ServerProcess> server) {
    return new StoreFault(
        FaultKind.SERVER_STOPPED,
        3,
        0.1,
        1.6,
        (time, duration, random) -> {
          pause(server.get(), time, duration);
          return server.get().toString();
        });
  }

  private static StoreFault sessionsEnded(Supplier<Integer> end, Object server) {
    return new StoreFault(
        FaultKind.SESSIONS_ENDED,
        2,
        0.0,
        0.1,
        (time, duration, random) -> {
          int ended = end.get();
          time.sleep(duration);
          return server + " (" + ended + " sessions)";
        });
  }

  private static void pause(ServerProcess server, FaultTime time, Duration duration) {
    server.pause();
    try {
      time.sleep(duration);
    } finally {
      server.resume();
    }
  }

  private static <T> T any(List<T> some, Random random) {
    return some.get(random.nextInt(some.size()));
  }

  private static List<Integer> ports(List<RedisServer> servers, List<RedisServer> more) {
    return java.util.stream.Stream.concat(servers.stream(), more.stream())
        .map(RedisServer::port)
        .toList();
  }

  private static io.holdfast.rig.servers.RedisServerOptions plainServers() {
    return io.holdfast.rig.servers.RedisServerOptions.PLAIN;
  }

  /** A master that is cut off from its replica stops to write before the quarantine is over. */
  private static io.holdfast.rig.servers.RedisServerOptions strictServers() {
    return plainServers().with("--min-replicas-to-write", "1", "--min-replicas-max-lag", "3");
  }

  private static Duration quarantine(Duration lease) {
    return lease.plusSeconds(5);
  }

  private static String parameters(Duration lease, boolean strict) {
    return strict ? "?strict=true&quarantine=" + quarantine(lease).toSeconds() + "s" : "";
  }

  /** New servers have forgotten nothing; otherwise every run would begin with a quarantine. */
  private static ConfiguredStore begun(ConfiguredStore store) {
    try {
      int ignored = RedisEngine.init(RedisOptions.of(store.uri()), OPERATION);
      return store;
    } catch (EngineException e) {
      store.close();
      throw new IllegalStateException("the new servers do not take records", e);
    }
  }

  /** The words that {@link #start} knows. */
  static final Set<String> WORDS =
      Set.of(
          "redis",
          "redis-sentinel",
          "redis-sentinel-default",
          "redis-cluster",
          "redis-cluster-default",
          "postgresql",
          "mysql",
          "mariadb",
          "zookeeper",
          "etcd");
}
