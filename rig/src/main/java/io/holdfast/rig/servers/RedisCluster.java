package io.holdfast.rig.servers;

import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A Redis Cluster of three masters with one replica each. Restarts keep no data, but the nodes
 * remember the cluster.
 *
 * <p>For one thread.
 */
public final class RedisCluster implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(30);

  /** Short enough for the next planned failover, long enough for a busy machine. */
  private static final Duration WHILE_PROMOTING = Duration.ofMillis(500);

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> cutOff = new ArrayList<>();
  private final String password;
  private boolean failsOver = true;

  private RedisCluster(String password) {
    this.password = password;
  }

  /** Starts all six; returns when every node takes commands and the replicas are in sync. */
  public static RedisCluster start() {
    return start(RedisServerOptions.PLAIN);
  }

  /** As {@link #start()}, with these options for every node. */
  public static RedisCluster start(RedisServerOptions options) {
    RedisCluster cluster = new RedisCluster(options.password().orElse(""));
    try {
      for (int i = 0; i < 2 * ClusterCreation.MASTERS; i++) {
        cluster.servers.add(ClusterCreation.startNode(options));
      }
      ClusterCreation.join(cluster.servers);
      cluster.awaitReady();
      return cluster;
    } catch (RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * From now on no node is taken for failing because it is silent, as all are for a while on a busy
   * machine: for tests that are not about failover.
   */
  public RedisCluster withoutFailover() {
    failsOver = false;
    setNodeTimeout(ClusterCreation.HARDLY_EVER);
    return this;
  }

  /**
   * Makes a replica the master of its slots, as an operator does with {@code CLUSTER FAILOVER};
   * returns when it is.
   *
   * <p>For a multiple of the node timeout after a failover, nodes neither vote for a successor of
   * the same master again nor start an election again. So the timeout is short for the moment of
   * the failover, even in a cluster {@linkplain #withoutFailover without failover}. A node may be
   * promoted again after two seconds; sooner, the others do not recognise it.
   */
  public void promote(RedisServer replica) {
    if (!failsOver) {
      setNodeTimeout(WHILE_PROMOTING);
    }
    replica.call("CLUSTER", "FAILOVER");
    Await.until("promotion of " + replica, BOUND, () -> replica.role().equals("master"));
    if (!failsOver) {
      setNodeTimeout(ClusterCreation.HARDLY_EVER);
    }
  }

  private void setNodeTimeout(Duration timeout) {
    String millis = Long.toString(timeout.toMillis());
    servers.forEach(node -> node.call("CONFIG", "SET", "cluster-node-timeout", millis));
  }

  /** {@code redis-cluster://127.0.0.1:p1,127.0.0.1:p2,…}: all nodes. */
  public String uri() {
    return servers.stream()
        .map(server -> "127.0.0.1:" + server.port())
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  /** All nodes, whatever they are now; the first three were masters at the start. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /** The slot that a key belongs to. */
  public int slotOf(String key) {
    return Integer.parseInt(up().get(0).call("CLUSTER", "KEYSLOT", key));
  }

  /** The master that owns a slot, as the first node that is up sees it; it may be down. */
  public RedisServer nodeOf(int slot) {
    return server(ClusterNode.ownerOf(slot, up().get(0)));
  }

  /** The masters that own slots and are up. */
  public List<RedisServer> masters() {
    return ClusterNode.seenBy(up().get(0)).stream()
        .filter(node -> node.isMaster() && !node.slots().isEmpty())
        .map(node -> server(node.port()))
        .filter(server -> server.process().isUp())
        .toList();
  }

  /** The replicas of a master that are up. */
  public List<RedisServer> replicasOf(RedisServer master) {
    String id = master.call("CLUSTER", "MYID");
    return ClusterNode.seenBy(master).stream()
        .filter(node -> node.masterId().equals(id))
        .map(node -> server(node.port()))
        .filter(server -> server.process().isUp())
        .toList();
  }

  /**
   * Begins to move a slot to another master: from now on its owner replies ASK for keys that it
   * does not have. The slot's keys stay where they are.
   */
  public SlotMigration migrate(int slot, RedisServer to) {
    return SlotMigration.begin(this, slot, nodeOf(slot), to);
  }

  /** Kills the master of a slot; returns the promoted replica, as {@link #awaitSuccessorOf}. */
  public RedisServer failover(int slot) {
    RedisServer old = nodeOf(slot);
    old.process().kill9();
    return awaitSuccessorOf(old, slot);
  }

  /**
   * Returns the next owner of a slot when all nodes that are up, but not the old owner, see it and
   * a whole cluster. For an owner that was killed or paused. Replication that was lost before is as
   * it was again.
   */
  public RedisServer awaitSuccessorOf(RedisServer old, int slot) {
    List<RedisServer> others = up().stream().filter(server -> server != old).toList();
    Await.until(
        "a successor of " + old,
        BOUND,
        () ->
            others.stream()
                .allMatch(asked -> isOk(asked) && ClusterNode.ownerOf(slot, asked) != old.port()));
    letReplicate();
    return server(ClusterNode.ownerOf(slot, others.get(0)));
  }

  /**
   * From now on no write of the master of a slot reaches its replicas, which are cut off and cannot
   * come back: what it grants is forgotten by a {@link #failover}. All writes that it accepted
   * before is with them. Until then or {@link #healReplication}.
   */
  public void loseReplication(int slot) {
    RedisServer master = nodeOf(slot);
    for (RedisServer replica : replicasOf(master)) {
      replica.awaitInSync(master);
      // A master refuses a wrong password, even if it requires none.
      replica.call("CONFIG", "SET", "masterauth", "not the password");
      cutOff.add(replica);
    }
    master.call("CLIENT", "KILL", "TYPE", "replica");
  }

  /** Lets replicas follow their masters again after {@link #loseReplication}; they catch up. */
  public void healReplication() {
    letReplicate();
    awaitReady();
  }

  /**
   * Starts a node again on its ports; returns when it is back in the cluster, as a replica in sync
   * if it was replaced meanwhile.
   */
  public void restart(RedisServer server) {
    server.process().restart();
    awaitReady();
  }

  /** Returns when all nodes that are up see a whole cluster, and their replicas are in sync. */
  public void awaitReady() {
    Await.until("the whole cluster", BOUND, () -> up().stream().allMatch(this::seesAll));
    for (RedisServer master : masters()) {
      replicasOf(master).forEach(replica -> replica.awaitInSync(master));
    }
  }

  /** Stops all nodes and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    servers.forEach(RedisServer::close);
  }

  List<RedisServer> up() {
    return servers.stream().filter(server -> server.process().isUp()).toList();
  }

  private void letReplicate() {
    cutOff.stream()
        .filter(server -> server.process().isUp())
        .forEach(server -> server.call("CONFIG", "SET", "masterauth", password));
    cutOff.clear();
  }

  private boolean seesAll(RedisServer asked) {
    List<ClusterNode> seen = ClusterNode.seenBy(asked);
    long masters = seen.stream().filter(node -> !node.slots().isEmpty()).count();
    return isOk(asked)
        && masters == ClusterCreation.MASTERS
        && seen.stream()
            .filter(node -> server(node.port()).process().isUp())
            .allMatch(node -> node.isWell() && node.isMaster() != node.slots().isEmpty());
  }

  private static boolean isOk(RedisServer asked) {
    return asked.call("CLUSTER", "INFO").lines().anyMatch("cluster_state:ok"::equals);
  }

  private RedisServer server(int port) {
    return servers.stream()
        .filter(server -> server.port() == port)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no server of ours on port " + port));
  }
}
