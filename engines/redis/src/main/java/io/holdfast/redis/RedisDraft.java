package io.holdfast.redis;

import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Tls;
import io.holdfast.redis.RedisOptions.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Options in the making, for one thread; begins with what is used when nothing is said. */
final class RedisDraft {

  Topology topology;
  List<Server> servers;
  String masterName = "";
  Login login = Login.NONE;
  Login sentinelLogin = Login.NONE;
  int database;
  Optional<Tls> tls = Optional.empty();
  Duration connectTimeout = Duration.ofSeconds(1);
  boolean signals = true;
  int minReplicas;
  Duration replicaTimeout = Duration.ofMillis(100);
  boolean strict;
  Duration quarantine = Duration.ZERO;
  Duration maxLease = Duration.ZERO;
  Duration nodeTimeout = Duration.ofMillis(50);

  RedisDraft(Topology topology, List<Server> servers) {
    this.topology = topology;
    this.servers = servers;
  }

  RedisDraft(RedisOptions from) {
    topology = from.topology();
    servers = from.servers();
    masterName = from.masterName();
    login = from.login();
    sentinelLogin = from.sentinelLogin();
    database = from.database();
    tls = from.tls();
    connectTimeout = from.connectTimeout();
    signals = from.signals();
    minReplicas = from.minReplicas();
    replicaTimeout = from.replicaTimeout();
    strict = from.strict();
    quarantine = from.quarantine();
    maxLease = from.maxLease();
    nodeTimeout = from.nodeTimeout();
  }

  RedisOptions build() {
    return new RedisOptions(
        topology,
        servers,
        masterName,
        login,
        sentinelLogin,
        database,
        tls,
        connectTimeout,
        signals,
        minReplicas,
        replicaTimeout,
        strict,
        quarantine,
        maxLease,
        nodeTimeout);
  }
}
