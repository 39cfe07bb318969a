package io.holdfast.rig.servers;

import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A slot on its way from one master of a {@link RedisCluster} to another.
 *
 * <p>Until {@link #finish} or {@link #cancel} the old owner replies ASK for keys that it does not
 * have, and the new one takes them only after ASKING. For one thread.
 */
public final class SlotMigration {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final String AT_ONCE = "100";

  private final RedisCluster cluster;
  private final String slot;
  private final RedisServer from;
  private final RedisServer to;
  private final String fromId;
  private final String toId;

  private SlotMigration(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
    this.cluster = cluster;
    this.slot = Integer.toString(slot);
    this.from = from;
    this.to = to;
    this.fromId = from.call("CLUSTER", "MYID");
    this.toId = to.call("CLUSTER", "MYID");
  }

  static SlotMigration begin(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
    SlotMigration migration = new SlotMigration(cluster, slot, from, to);
    // The receiver first: no ASK may lead to a node that knows nothing of it.
    to.call("CLUSTER", "SETSLOT", migration.slot, "IMPORTING", migration.fromId);
    from.call("CLUSTER", "SETSLOT", migration.slot, "MIGRATING", migration.toId);
    return migration;
  }

  /** The owner until now. */
  public RedisServer from() {
    return from;
  }

  /** The next owner. */
  public RedisServer to() {
    return to;
  }

  /** Moves the keys that are there now, and nothing else: the slot stays on its way. */
  public void moveKeys() {
    String keys = keys();
    while (!keys.isEmpty()) {
      List<String> move = new ArrayList<>(List.of("MIGRATE", "127.0.0.1"));
      move.addAll(List.of(Integer.toString(to.port()), "", "0", "1000", "KEYS"));
      keys.lines().forEach(move::add);
      from.call(move.toArray(String[]::new));
      keys = keys();
    }
  }

  /**
   * Moves the keys and makes the slot the new owner's: the old one replies MOVED. Returns when all
   * nodes that are up know it.
   */
  public void finish() {
    moveKeys();
    List<RedisServer> told = new ArrayList<>(List.of(to, from));
    cluster.masters().stream().filter(master -> !told.contains(master)).forEach(told::add);
    told.forEach(node -> node.call("CLUSTER", "SETSLOT", slot, "NODE", toId));
    int number = Integer.parseInt(slot);
    Await.until(
        "slot " + slot + " at " + to,
        BOUND,
        () ->
            cluster.up().stream().allMatch(node -> ClusterNode.ownerOf(number, node) == to.port()));
  }

  /** Leaves the slot where it was; keys that were moved stay with the other node. */
  public void cancel() {
    List.of(from, to).forEach(node -> node.call("CLUSTER", "SETSLOT", slot, "STABLE"));
  }

  /** One a line. */
  private String keys() {
    return from.call("CLUSTER", "GETKEYSINSLOT", slot, AT_ONCE);
  }
}
