package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One node of a cluster stands still, and no other one takes over. */
@Isolated
@Timeout(120)
class HungNodeIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration STALL = Duration.ofMillis(500);
  private static final int HOLDS = 35;
  private static final Map<String, Integer> PORTS = new ConcurrentHashMap<>();
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    PORTS.clear();
    cluster = RedisCluster.start().withoutFailover();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 10, 30})
  @DisplayName("a node that hangs costs no hold at the other nodes, and stalls them once at most")
  void othersGoOn(int seconds) throws Exception {
    Duration lease = Duration.ofSeconds(seconds);
    RedisServer hung = cluster.masters().get(0);
    String prefix = "h" + seconds + "-";
    try (Holdfast client = Holdfast.connect(cluster.uri() + "?holdfast.lease=" + seconds + "s")) {
      List<Hold> here = new ArrayList<>();
      List<Hold> elsewhere = new ArrayList<>();
      Queue<String> lost = new ConcurrentLinkedQueue<>();
      for (int i = 0; here.size() + elsewhere.size() < HOLDS; i++) {
        boolean there = isAt(hung, prefix + i);
        Hold hold = client.lock(prefix + i).acquire(LONG);
        (there ? here : elsewhere).add(hold);
        if (!there) {
          hold.onLoss(loss -> lost.add(loss.toString()));
        }
      }
      assertThat(here).isNotEmpty();
      long longest = 0;
      int stalls = 0;
      hung.process().pause();
      try {
        long paused = System.nanoTime();
        long time = Math.min(2 * lease.toNanos(), Duration.ofSeconds(20).toNanos());
        for (int i = 0; System.nanoTime() - paused < time; i++) {
          String name = prefix + "other" + i;
          if (!isAt(hung, name)) {
            long before = System.nanoTime();
            client.lock(name).acquire(LONG).close();
            long after = System.nanoTime();
            longest = Math.max(longest, after - before);
            stalls += after - before > STALL.toNanos() ? 1 : 0;
            Await.until("a moment", LONG, () -> System.nanoTime() - after > 20_000_000);
          }
        }
      } finally {
        hung.process().resume();
      }
      Figure.print(
          "one of 3 nodes hangs (lease %d s): %d of %d holds at the others lost; longest"
              + " acquire and release there %,d ms",
          seconds, lost.size(), elsewhere.size(), longest / 1_000_000);
      // Each of the two lanes may wait for the node once, before it is known to hang.
      Figure.lateAtMost(
          2, stalls, "stalls at the other nodes of more than " + STALL.toMillis() + " ms");
      assertThat(lost).isEmpty();
      assertThat(elsewhere).allMatch(Hold::isHeld);
      client.lock(nameAt(hung, prefix + "back")).acquire(LONG).close();
      elsewhere.forEach(Hold::release);
      here.forEach(Hold::release);
    }
  }

  private static String nameAt(RedisServer node, String prefix) {
    int i = 0;
    while (!isAt(node, prefix + i)) {
      i++;
    }
    return prefix + i;
  }

  private static boolean isAt(RedisServer node, String name) {
    return PORTS.computeIfAbsent(
            StoredKeys.tag(name), tag -> cluster.nodeOf(cluster.slotOf(tag)).port())
        == node.port();
  }
}
