package io.holdfast.redis;

import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Topology;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks options. Every error names the value and the rule. */
final class OptionChecks {

  private static final int LEAST_OF_REDLOCK = 3;
  private static final int LAST_PORT = 65_535;

  private OptionChecks() {}

  static void server(String host, int port) {
    if (host.isBlank() || host.chars().anyMatch(OptionChecks::isForeign)) {
      throw new IllegalArgumentException("host must be a name or an address: host=" + host);
    }
    if (port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException(
          "port must be 1.." + LAST_PORT + ": port=" + port + " of " + host);
    }
  }

  private static boolean isForeign(int c) {
    return c <= ' ' || c > '~' || "[]@/?#,\"<>\\^`{|}".indexOf(c) >= 0;
  }

  static void topology(
      Topology topology, List<Server> servers, String masterName, Login sentinel, int database) {
    distinct(servers);
    boolean sentinels = topology == Topology.SENTINEL;
    if (masterName.isEmpty() == sentinels) {
      throw new IllegalArgumentException(
          sentinels
              ? "sentinels need the master's name: redis-sentinel://host,host,host/mymaster"
              : "only sentinels know a master by name: masterName=" + masterName);
    }
    if (!sentinels && !sentinel.equals(Login.NONE)) {
      throw new IllegalArgumentException("sentinelLogin is for sentinels alone: " + topology);
    }
    if (database < 0) {
      throw new IllegalArgumentException("database must be >= 0: database=" + database);
    }
    if (database > 0 && topology == Topology.CLUSTER) {
      throw new IllegalArgumentException("a cluster has only database 0: database=" + database);
    }
    if (topology == Topology.SINGLE && servers.size() > 1) {
      throw new IllegalArgumentException(
          "one server is one host: servers="
              + servers
              + "; several are redis-sentinel://, redis-cluster:// or redlock://");
    }
    majority(topology, servers);
  }

  private static void majority(Topology topology, List<Server> servers) {
    int count = servers.size();
    if (topology == Topology.REDLOCK && (count < LEAST_OF_REDLOCK || count % 2 == 0)) {
      throw new IllegalArgumentException(
          "redlock needs an odd number of servers, at least 3: servers=" + servers);
    }
  }

  private static void distinct(List<Server> servers) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("servers must not be empty: servers=[]");
    }
    Set<String> seen = new HashSet<>();
    for (Server server : servers) {
      if (!seen.add(server.toString().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("servers must differ: server=" + server);
      }
    }
  }

  /** Replicas that may take longer than an operation would never confirm anything in time. */
  static void replicas(RedisOptions options, Duration operationTimeout) {
    if (options.minReplicas() > 0 && options.replicaTimeout().compareTo(operationTimeout) >= 0) {
      throw new IllegalArgumentException(
          "replicaTimeout must be below the operation timeout: replicaTimeout="
              + DurationText.of(options.replicaTimeout())
              + " operationTimeout="
              + DurationText.of(operationTimeout));
    }
  }
}
