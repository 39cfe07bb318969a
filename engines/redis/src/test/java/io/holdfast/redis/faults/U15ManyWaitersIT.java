package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.HeldHolds;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.rig.time.LongRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Ten thousand different locks waited for at once by one client. */
@Isolated
@Timeout(120)
class U15ManyWaitersIT {

  private static final int LOCKS = Integer.getInteger("locks", LongRun.of(3_000, 10_000));
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String OPTIONS = "?holdfast.lease=30s&holdfast.queueLimit=100000";

  @Test
  @DisplayName(
      "one connection a client for signals is enough, its loss is counted, and all of it goes again")
  void oneConnection() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holder = Holdfast.connect(server.uri() + OPTIONS);
        Holdfast waiter = Holdfast.connect(server.uri() + OPTIONS)) {
      long start = System.nanoTime();
      List<Hold> holds = new ArrayList<>();
      for (CompletableFuture<Hold> hold : ask(holder)) {
        holds.add(hold.get(60, TimeUnit.SECONDS));
      }
      long held = System.nanoTime();
      List<CompletableFuture<Hold>> waits = ask(waiter);
      Await.until("all in line", LONG, () -> StoredKeys.count(server, "w") == LOCKS);
      long inLine = System.nanoTime();
      assertThat(pubsub(server)).as("one of each client").hasSize(2);
      assertThat(counter(waiter, "signals.waiters")).isEqualTo(LOCKS);
      assertThat(connections(server)).isLessThanOrEqualTo(3 + 4);
      Figure.print(
          "%,d locks waited for at once: held after %,d ms, in line after %,d ms more, %d"
              + " connections of two clients, 2 of them for signals",
          LOCKS, (held - start) / 1_000_000, (inLine - held) / 1_000_000, connections(server));

      lose(server, waiter);
      hear(holds, waits);
      leave(server, waiter, holds, waits);
    }
  }

  /** Ends the connection for signals: counted, and made anew. */
  private static void lose(RedisServer server, Holdfast waiter) {
    long before = counter(waiter, "signals.lost");
    long lost = System.nanoTime();
    server.call("CLIENT", "KILL", "TYPE", "pubsub");
    Await.until("a counted loss", LONG, () -> counter(waiter, "signals.lost") > before);
    Await.until("signals again", LONG, () -> pubsub(server).size() == 2);
    Figure.within(
        Duration.ofSeconds(1), System.nanoTime() - lost, "signal connection killed: signals again");
  }

  /** A hundred releases, each heard of. */
  private static void hear(List<Hold> holds, List<CompletableFuture<Hold>> waits) throws Exception {
    long[] nanos = new long[100];
    for (int i = 0; i < nanos.length; i++) {
      long released = System.nanoTime();
      holds.get(i).close();
      waits.get(i).get(30, TimeUnit.SECONDS).close();
      nanos[i] = System.nanoTime() - released;
    }
    java.util.Arrays.sort(nanos);
    Figure.print(
        "among %,d waiters: release to next grant p50 %.1f ms, p99 %.1f ms",
        LOCKS, Figure.percentile(nanos, 50), Figure.percentile(nanos, 99));
    assertThat(Figure.percentile(nanos, 99)).isLessThan(Figure.SLACK * 1_000.0);
  }

  /** All give up: nothing of them stays, here or there. */
  private static void leave(
      RedisServer server, Holdfast waiter, List<Hold> holds, List<CompletableFuture<Hold>> waits) {
    long start = System.nanoTime();
    assertThat(waits.stream().filter(CompletableFuture::isCompletedExceptionally)).isEmpty();
    waits.forEach(wait -> wait.cancel(true));
    Await.until("no waiters", LONG, () -> counter(waiter, "signals.waiters") == 0);
    Await.until("nobody in line", LONG, () -> StoredKeys.count(server, "w") == 0);
    assertThat(StoredKeys.count(server, "i")).isZero();
    assertThat(StoredKeys.count(server, "n")).isZero();
    assertThat(waiter.health().waiting()).isZero();
    Figure.print(
        "%,d waiters left: client and store clean after %,d ms",
        LOCKS, (System.nanoTime() - start) / 1_000_000);
    HeldHolds.requireAll(holds.subList(200, LOCKS), "locks");
  }

  private static List<CompletableFuture<Hold>> ask(Holdfast client) {
    List<CompletableFuture<Hold>> all = new ArrayList<>();
    for (int i = 0; i < LOCKS; i++) {
      all.add(client.lock("many/" + i).acquireAsync(Duration.ofMinutes(5)));
    }
    return all;
  }

  private static long counter(Holdfast client, String name) {
    return client.health().counters().get(name);
  }

  private static List<String> pubsub(RedisServer server) {
    return server.call("CLIENT", "LIST", "TYPE", "pubsub").lines().toList();
  }

  /** Those of the two clients; the test's own is not counted. */
  private static long connections(RedisServer server) {
    return server.call("CLIENT", "LIST").lines().filter(c -> c.contains("name=holdfast")).count();
  }
}
