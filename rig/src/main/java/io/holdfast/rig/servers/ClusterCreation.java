package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How six servers become a Redis Cluster of three masters with one replica each. */
final class ClusterCreation {
  static final int MASTERS = 3;
  static final int SLOTS = 16_384;

  /** How long a node must be silent before another one takes it for failing. */
  static final Duration NODE_TIMEOUT = Duration.ofMillis(1_500);

  /** Longer than any machine stands still. */
  static final Duration HARDLY_EVER = Duration.ofMinutes(10);

  private static final Duration BOUND = Duration.ofSeconds(30);

  private ClusterCreation() {}

  /** Starts one node that knows no other. */
  static RedisServer startNode(RedisServerOptions options) {
    RedisServerOptions node =
        options.with(
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            Long.toString(NODE_TIMEOUT.toMillis()),
            // A replica may take over however long it was out of touch: tests lose replication.
            "--cluster-replica-validity-factor",
            "0",
            "--cluster-allow-replica-migration",
            "no");
    ServerSpec plain = node.spec();
    ServerSpec spec =
        ServerSpec.of("redis-node", place -> withBus(plain, place), plain.ready())
            .withEnvironment(plain.environment());
    return RedisServer.start(spec, options.access());
  }

  /** Makes the first half masters, each with its share of the slots, the others their replicas. */
  static void join(List<RedisServer> servers) {
    for (int i = 0; i < servers.size(); i++) {
      servers.get(i).call("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (int i = 0; i < MASTERS; i++) {
      int first = SLOTS * i / MASTERS;
      int last = SLOTS * (i + 1) / MASTERS - 1;
      servers
          .get(i)
          .call("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
    }
    servers.stream().skip(1).forEach(other -> meet(servers.get(0), other));
    servers.forEach(server -> awaitAcquaintance(server, servers.size()));
    for (int i = MASTERS; i < servers.size(); i++) {
      RedisServer master = servers.get(i % MASTERS);
      servers.get(i).call("CLUSTER", "REPLICATE", master.call("CLUSTER", "MYID"));
    }
  }

  private static void meet(RedisServer one, RedisServer other) {
    String port = Integer.toString(other.port());
    one.call("CLUSTER", "MEET", "127.0.0.1", port, Integer.toString(bus(other.process().place())));
  }

  private static void awaitAcquaintance(RedisServer server, int nodes) {
    Await.until(
        server + " that knows the others",
        BOUND,
        () -> {
          List<ClusterNode> seen = ClusterNode.seenBy(server);
          return seen.size() == nodes && seen.stream().allMatch(ClusterNode::isWell);
        });
  }

  /** The bus has a port of its own choice, because port + 10,000 may be taken. */
  private static List<String> withBus(ServerSpec plain, ServerLocation place) {
    List<String> command = new ArrayList<>(plain.command().at(place));
    command.addAll(List.of("--cluster-port", Integer.toString(bus(place))));
    return command;
  }

  private static int bus(ServerLocation place) {
    return place.port("bus");
  }
}
