package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RedisClusterIT {
  private static LeakCheck threads;
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    threads = LeakCheck.baseline(Inventory.threads());
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void nothing_is_left() {
    cluster.close();
    assertThat(cluster.servers()).hasSize(6).allMatch(server -> Ports.isFree(server.port()));
    threads.awaitReturn(Duration.ofSeconds(5)).requireClean(1);
  }

  @Test
  void every_slot_has_a_master_and_the_others_say_where() {
    assertThat(cluster.uri()).matches("redis-cluster://(127.0.0.1:\\d+,?){6}");
    assertThat(cluster.masters()).hasSize(3);
    int slot = cluster.slotOf("here");
    RedisServer owner = cluster.nodeOf(slot);
    assertThat(owner.call("SET", "here", "v")).isEqualTo("OK");
    assertThatThrownBy(() -> other(owner).call("GET", "here"))
        .hasRootCauseMessage("the server replied: MOVED " + slot + " 127.0.0.1:" + owner.port());
    RedisServer replica = cluster.replicasOf(owner).get(0);
    replica.awaitInSync(owner);
    assertThat(replica.call("DBSIZE")).isEqualTo(owner.call("DBSIZE"));
  }

  @Test
  void a_slot_on_its_way_answers_ask_and_then_moved() throws IOException {
    int slot = cluster.slotOf("{on-its-way}");
    RedisServer from = cluster.nodeOf(slot);
    RedisServer to = other(from);
    from.call("SET", "{on-its-way}:1", "v");

    SlotMigration migration = cluster.migrate(slot, to);
    assertThat(from.call("GET", "{on-its-way}:1")).isEqualTo("v");
    String where = slot + " 127.0.0.1:" + to.port();
    assertThatThrownBy(() -> from.call("GET", "{on-its-way}:2"))
        .hasRootCauseMessage("the server replied: ASK " + where);
    try (RespConnection asking = to.connect()) {
      asking.call("ASKING");
      assertThat(asking.call("SET", "{on-its-way}:2", "v")).isEqualTo("OK");
    }
    migration.moveKeys();
    assertThatThrownBy(() -> from.call("GET", "{on-its-way}:1"))
        .hasRootCauseMessage("the server replied: ASK " + where);

    migration.finish();
    assertThatThrownBy(() -> from.call("GET", "{on-its-way}:1"))
        .hasRootCauseMessage("the server replied: MOVED " + where);
    assertThat(to.call("MGET", "{on-its-way}:1", "{on-its-way}:2")).isEqualTo("v\nv");
    assertThat(cluster.nodeOf(slot)).isSameAs(to);
  }

  @Test
  void a_migration_can_be_called_off() {
    int slot = cluster.slotOf("stays");
    RedisServer from = cluster.nodeOf(slot);
    cluster.migrate(slot, other(from)).cancel();
    assertThat(from.call("GET", "stays")).isEqualTo("(nil)");
  }

  @Test
  void a_killed_master_is_replaced_and_comes_back_as_a_replica() {
    int slot = cluster.slotOf("kept");
    RedisServer old = cluster.nodeOf(slot);
    old.call("SET", "kept", "v");
    cluster.replicasOf(old).get(0).awaitInSync(old);

    RedisServer promoted = cluster.failover(slot);
    assertThat(promoted).isNotSameAs(old);
    assertThat(promoted.call("GET", "kept")).isEqualTo("v");

    cluster.restart(old);
    assertThat(old.role()).isEqualTo("slave");
    assertThat(cluster.replicasOf(promoted)).containsExactly(old);
  }

  @Test
  void a_paused_master_is_replaced() {
    int slot = cluster.slotOf("paused");
    RedisServer old = cluster.nodeOf(slot);
    old.process().pause();
    RedisServer promoted = cluster.awaitSuccessorOf(old, slot);
    assertThat(promoted).isNotSameAs(old);
    old.process().resume();
    old.awaitInSync(promoted);
    cluster.awaitReady();
  }

  @Test
  void what_was_granted_while_replication_was_lost_is_forgotten_by_a_failover() {
    int slot = cluster.slotOf("lost");
    RedisServer old = cluster.nodeOf(slot);
    cluster.loseReplication(slot);
    assertThat(old.call("SET", "lost", "v")).isEqualTo("OK");

    RedisServer promoted = cluster.failover(slot);
    assertThat(promoted.call("GET", "lost")).isEqualTo("(nil)");
    cluster.restart(old);
  }

  @Test
  void a_replica_catches_up_when_replication_is_healed() {
    int slot = cluster.slotOf("late");
    RedisServer master = cluster.nodeOf(slot);
    RedisServer replica = cluster.replicasOf(master).get(0);
    cluster.loseReplication(slot);
    String before = replica.call("DBSIZE");
    master.call("SET", "late", "v");
    assertThat(replica.call("DBSIZE")).isEqualTo(before);
    cluster.healReplication();
    assertThat(replica.call("DBSIZE")).isEqualTo(master.call("DBSIZE")).isNotEqualTo(before);
  }

  @Test
  void a_master_can_be_moved_back_and_forth() {
    try (RedisCluster own = RedisCluster.start().withoutFailover()) {
      int slot = own.slotOf("moved");
      for (int i = 0; i < 3; i++) {
        RedisServer old = own.nodeOf(slot);
        RedisServer next = own.replicasOf(old).get(0);
        own.promote(next);
        long promoted = System.nanoTime();
        Await.until(
            "all nodes name the new master",
            Duration.ofSeconds(5),
            () ->
                own.servers().stream()
                    .allMatch(node -> ClusterNode.ownerOf(slot, node) == next.port()));
        own.awaitReady();
        Await.until(
            "the next election", Duration.ofSeconds(5), () -> elapsed(promoted) > 1_100_000_000L);
      }
    }
  }

  private static long elapsed(long since) {
    return System.nanoTime() - since;
  }

  private static RedisServer other(RedisServer master) {
    return cluster.masters().stream().filter(m -> m != master).findFirst().orElseThrow();
  }
}
