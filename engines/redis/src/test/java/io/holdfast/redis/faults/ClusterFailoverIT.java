package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.TracedHold;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.SlotMigration;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A cluster that loses a master, moves slots and is listened to. */
@Isolated
@Timeout(90)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterFailoverIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int MOVES = 6;
  private static RedisCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Holdfast connect() {
    return Holdfast.connect(cluster.uri() + "?holdfast.lease=2s");
  }

  @Test
  @Order(1)
  @DisplayName("U15: channels of buckets go with those who wait there")
  void channels() throws Exception {
    try (Holdfast holder = connect();
        Holdfast waiter = connect()) {
      List<Hold> holds = new ArrayList<>();
      List<CompletableFuture<Hold>> waits = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        holds.add(holder.lock("c" + i).acquire(LONG));
        waits.add(waiter.lock("c" + i).acquireAsync(LONG));
      }
      Await.until("all listen", LONG, () -> channelsInAll() > 400);
      long most =
          cluster.masters().stream().mapToLong(ClusterFailoverIT::listeners).max().orElse(0);
      Figure.print(
          "500 waiters on a cluster: %d channels, at most %d signal connections a node",
          channelsInAll(), most);
      assertThat(most).isEqualTo(1);
      for (int i = 0; i < 250; i++) {
        waits.get(i).cancel(true);
        holds.get(i).close();
      }
      for (int i = 250; i < 500; i++) {
        holds.get(i).close();
        waits.get(i).get(30, TimeUnit.SECONDS).close();
      }
      Await.until("no channels", LONG, () -> channelsInAll() == 0);
      assertThat(waiter.health().counters()).containsEntry("signals.waiters", 0L);
    }
    awaitNoLocks();
  }

  @Test
  @Order(2)
  @DisplayName("slots that move under load fail no call and let nobody overlap")
  void migration() throws Exception {
    List<String> names = namesOfOneBucket(3);
    int slot = cluster.slotOf(StoredKeys.tag(names.get(0)));
    RedisServer from = cluster.nodeOf(slot);
    RedisServer to =
        cluster.masters().stream().filter(node -> node != from).findFirst().orElseThrow();
    AtomicBoolean stop = new AtomicBoolean();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicInteger grants = new AtomicInteger();
    int moves = 0;
    try (HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast a = connect();
        Holdfast b = connect()) {
      List<Thread> threads = new ArrayList<>();
      for (Holdfast client : List.of(a, b)) {
        for (String name : names) {
          threads.add(new Thread(() -> load(client, name, history, stop, grants, failures)));
        }
      }
      threads.forEach(Thread::start);
      try {
        for (; moves < MOVES; moves++) {
          move(slot, moves % 2 == 0 ? to : from);
        }
      } finally {
        stop.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
      }
    }
    Figure.print(
        "slot moved %d times under load: %,d grants, %d failed calls",
        moves, grants.get(), failures.size());
    assertThat(failures).isEmpty();
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(50);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(50);
    awaitNoLocks();
  }

  @Test
  @Order(3)
  @DisplayName("kill -9 of a master: names of all buckets can be locked again without a restart")
  void failover() throws Exception {
    List<String> names = oneNameOfEachBucket();
    try (Holdfast a = connect();
        Holdfast b = connect()) {
      lockAll(a, b, names);
      int slot = cluster.slotOf("{hf:000}");
      RedisServer old = cluster.nodeOf(slot);
      long killed = System.nanoTime();
      old.process().kill9();
      CompletableFuture<Long> done =
          CompletableFuture.supplyAsync(
              () -> lockAll(a, b, names), body -> new Thread(body, "locker").start());
      cluster.awaitSuccessorOf(old, slot);
      long all = done.get(60, TimeUnit.SECONDS);
      Figure.within(
          Duration.ofSeconds(30),
          all - killed,
          "kill -9 of a master (cluster): a name of each of " + names.size() + " buckets locked");
    }
  }

  /** With time on the way, and after it: news of owners that overtakes older news undoes a move. */
  private static void move(int slot, RedisServer target) {
    SlotMigration migration = cluster.migrate(slot, target);
    pause(50);
    migration.moveKeys();
    pause(50);
    migration.finish();
    pause(400);
  }

  private static void pause(long millis) {
    long start = System.nanoTime();
    Await.until("a moment", LONG, () -> System.nanoTime() - start > millis * 1_000_000);
  }

  private static long lockAll(Holdfast a, Holdfast b, List<String> names) {
    try {
      for (int i = 0; i < names.size(); i++) {
        (i % 2 == 0 ? a : b).lock(names.get(i)).acquire(LONG).close();
      }
      return System.nanoTime();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void load(
      Holdfast client,
      String name,
      HistoryWriter history,
      AtomicBoolean stop,
      AtomicInteger grants,
      Queue<Throwable> failures) {
    while (!stop.get()) {
      String id = Integer.toString(grants.incrementAndGet());
      try {
        TracedHold.acquire(client.lock(name), history.trace(name, id), LONG).release();
      } catch (InterruptedException | HoldfastException | IllegalStateException e) {
        failures.add(e);
      }
    }
  }

  private static void awaitNoLocks() {
    for (RedisServer master : cluster.masters()) {
      StoredKeys.awaitNoLocks(master, Duration.ofSeconds(5));
    }
  }

  private static long channelsInAll() {
    return cluster.masters().stream()
        .mapToLong(node -> node.call("PUBSUB", "SHARDCHANNELS").lines().count())
        .sum();
  }

  /** Those that listen to channels of slots; a client listens to changes at any node. */
  private static long listeners(RedisServer node) {
    return node.call("CLIENT", "LIST", "TYPE", "pubsub")
        .lines()
        .filter(client -> !client.contains(" ssub=0 "))
        .count();
  }

  private static List<String> namesOfOneBucket(int count) {
    List<String> names = new ArrayList<>(List.of("m0"));
    for (int i = 1; names.size() < count; i++) {
      if (StoredKeys.tag("m" + i).equals(StoredKeys.tag("m0"))) {
        names.add("m" + i);
      }
    }
    return names;
  }

  private static List<String> oneNameOfEachBucket() {
    Map<String, String> names = new HashMap<>();
    for (int i = 0; names.size() < 4_096; i++) {
      names.putIfAbsent(StoredKeys.tag("f" + i), "f" + i);
    }
    return List.copyOf(names.values());
  }
}
