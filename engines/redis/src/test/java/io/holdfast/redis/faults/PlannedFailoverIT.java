package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.CheckResult;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.checks.Violation;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.TracedHold;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.rig.time.LongRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * An operator moves the master while clients lock, and nothing fails. Sentinel leaves the former
 * master a master for some seconds.
 */
@Isolated
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class PlannedFailoverIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  /**
   * How long the former master goes on being one, at least: with Sentinel's own periods it is 8.
   */
  private static final Duration TWO_MASTERS = Duration.ofMillis(2_500);

  private final AtomicInteger grants = new AtomicInteger();

  /** How often the replica was not connected to its master when a failover was about to begin. */
  private int apart;

  @TempDir Path folder;

  @Test
  @DisplayName("SENTINEL FAILOVER lets no two clients believe in the same mutex")
  void sentinel() throws Exception {
    int rounds = LongRun.of(8, 300);
    try (RedisSentinels sentinels = RedisSentinels.start().withoutFailover();
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast a = connect(sentinels.uri());
        Holdfast b = connect(sentinels.uri())) {
      for (int i = 0; i < rounds; i++) {
        RedisServer old = sentinels.master();
        RedisServer next = sentinels.replicas().get(0);
        switchSlowly(sentinels, true);
        round(
            i,
            history,
            List.of(a, b),
            sentinels.uri(),
            () -> {
              // A sentinel may just have reconfigured it. What it lacks then is lost, as
              // documented.
              if (!next.info("master_link_status").equals("up")) {
                apart++;
              }
              next.awaitInSync(old);
              sentinels.sentinels().get(0).call("SENTINEL", "FAILOVER", sentinels.masterName());
              awaitAnySentinelNamesAnother(sentinels, old);
            });
        switchSlowly(sentinels, false);
        old.awaitInSync(sentinels.awaitSuccessorOf(old));
        sentinels.awaitReady();
      }
    }
    Figure.print("the replica was not connected at %d of %d failovers", apart, rounds);
    report("SENTINEL FAILOVER", rounds);
  }

  @Test
  @DisplayName(
      "a sentinel that does not reply after its announcement lets nobody in at the old master")
  void unanswered() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start().withoutFailover();
        FaultProxy proxy = FaultProxy.to(sentinels.sentinels().get(0).process());
        Holdfast client =
            connect("redis-sentinel://127.0.0.1:" + proxy.port() + "/" + sentinels.masterName())) {
      RedisServer leading = sentinels.sentinels().get(0);
      RedisServer old = sentinels.master();
      RedisServer next = sentinels.replicas().get(0);
      client.lock("before").acquire(LONG).close();
      Await.until(
          "a subscription",
          LONG,
          () -> !leading.call("CLIENT", "LIST", "TYPE", "pubsub").isBlank());
      switchSlowly(sentinels, true);
      // Its messages arrive, and questions to it do not.
      proxy.passOnly(Direction.REPLIES);
      leading.call("SENTINEL", "FAILOVER", sentinels.masterName());
      Await.until("promotion", LONG, () -> next.role().equals("master"));
      long promoted = System.nanoTime();
      int refused = 0;
      while (System.nanoTime() - promoted < TWO_MASTERS.toNanos()) {
        try {
          assertThat(client.lock("m").tryAcquire()).isEmpty();
        } catch (StoreUnavailableException e) {
          refused++;
        }
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(old.role()).isEqualTo("master");
      assertThat(refused).isPositive();
    }
  }

  @Test
  @DisplayName("CLUSTER FAILOVER lets no two clients believe in the same mutex")
  void cluster() throws Exception {
    int rounds = LongRun.of(6, 100);
    try (RedisCluster cluster = RedisCluster.start().withoutFailover();
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast a = connect(cluster.uri());
        Holdfast b = connect(cluster.uri())) {
      for (int i = 0; i < rounds; i++) {
        int slot = cluster.slotOf(StoredKeys.tag("m" + i));
        RedisServer old = cluster.nodeOf(slot);
        RedisServer next = cluster.replicasOf(old).get(0);
        round(i, history, List.of(a, b), cluster.uri(), () -> cluster.promote(next));
        cluster.awaitReady();
      }
    }
    report("CLUSTER FAILOVER", rounds);
  }

  private static Holdfast connect(String uri) {
    return Holdfast.connect(uri + "?holdfast.lease=6s");
  }

  /**
   * One failover, with two clients that were there before and one that comes while it happens. They
   * want one mutex again and again, and one of the first two holds another one all the time.
   */
  private void round(
      int number, HistoryWriter history, List<Holdfast> clients, String uri, Runnable failover)
      throws Exception {
    String busy = "m" + number;
    String kept = "k" + number;
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    TracedHold hold =
        TracedHold.acquire(clients.get(0).lock(kept), history.trace(kept, "first"), LONG);
    for (Holdfast client : clients) {
      threads.add(start(() -> compete(client, List.of(busy), history, stop)));
    }
    try {
      failover.run();
      long switched = System.nanoTime();
      try (Holdfast late = connect(uri)) {
        threads.add(start(() -> compete(late, List.of(busy, kept), history, stop)));
        Await.until(
            "the time of two masters",
            LONG,
            () -> {
              hold.look();
              return System.nanoTime() - switched > TWO_MASTERS.toNanos();
            });
        stop.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
      }
    } finally {
      stop.set(true);
    }
    hold.release();
  }

  private static Thread start(Runnable body) {
    Thread thread = new Thread(body, "competitor");
    thread.start();
    return thread;
  }

  private void compete(
      Holdfast client, List<String> names, HistoryWriter history, AtomicBoolean stop) {
    for (int i = 0; !stop.get(); i++) {
      String name = names.get(i % names.size());
      try {
        TracedHold hold =
            TracedHold.acquire(
                client.lock(name),
                history.trace(name, Integer.toString(grants.incrementAndGet())),
                Duration.ofMillis(200));
        long start = System.nanoTime();
        while (hold.look() && System.nanoTime() - start < 20_000_000) {
          LockSupport.parkNanos(2_000_000);
        }
        hold.release();
      } catch (HoldfastException e) {
        // Busy, or no master at this moment: both are right answers.
        LockSupport.parkNanos(1_000_000);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Sentinel turns a former master into a replica after four of these periods. */
  private static void switchSlowly(RedisSentinels sentinels, boolean slowly) {
    String period = slowly ? "2000" : "200";
    sentinels
        .sentinels()
        .forEach(sentinel -> sentinel.call("SENTINEL", "DEBUG", "publish-period", period));
  }

  private static void awaitAnySentinelNamesAnother(RedisSentinels sentinels, RedisServer old) {
    String port = Integer.toString(old.port());
    Await.until(
        "a sentinel that names another master",
        LONG,
        () ->
            sentinels.sentinels().stream()
                .map(
                    each ->
                        each.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", sentinels.masterName()))
                .anyMatch(
                    address -> !address.lines().skip(1).findFirst().orElseThrow().equals(port)));
  }

  private void report(String what, int rounds) throws Exception {
    History history = WorkerJvm.history(folder);
    CheckResult overlap = new Overlap().check(history);
    Set<String> names =
        overlap.violations().stream()
            .map(violation -> violation.evidence().get(0).lock())
            .collect(Collectors.toSet());
    Set<String> broken = names.stream().map(name -> name.substring(1)).collect(Collectors.toSet());
    Figure.print(
        "%s: two clients believed in the same mutex in %d of %d; %,d beliefs",
        what, broken.size(), rounds, overlap.checked());
    overlap.violations().stream().limit(5).map(Violation::what).forEach(System.out::println);
    assertThat(broken).isEmpty();
    assertThat(overlap.checked()).isGreaterThan(10L * rounds);
    TokenOrder.byRequest(Capacities.mutexes()).check(history).requireClean(rounds);
  }
}
