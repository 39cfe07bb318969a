package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.StaleTokenException;
import io.holdfast.memory.MemoryFenceGuard;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.GuardedWrites;
import io.holdfast.rig.checks.LossNotices;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.Trace;
import io.holdfast.rig.history.TracedHold;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Three clients with a bad network each, two locks, and a server that stops now and then; {@code
 * -Dlong} for a minute of it, {@code -Dseed=} for the same faults again.
 */
@Isolated
@Timeout(150)
class RandomFaultsIT {

  private static final boolean LONG_RUN = System.getProperty("long") != null;
  private static final Duration TIME = Duration.ofSeconds(LONG_RUN ? 60 : 8);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int CLIENTS = 3;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final MemoryFenceGuard guard = new MemoryFenceGuard();
  private final AtomicBoolean calm = new AtomicBoolean();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger grants = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger stale = new AtomicInteger();
  private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();

  @TempDir Path folder;

  @Test
  @DisplayName("no overlap, rising tokens, losses told, no stale write, and calm in the end")
  void faults() throws Exception {
    try (RedisServer server = RedisServer.start();
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test")) {
      List<FaultProxy> proxies = new ArrayList<>();
      List<Holdfast> clients = new ArrayList<>();
      try {
        for (int i = 0; i < CLIENTS; i++) {
          FaultProxy proxy = FaultProxy.to(server.process());
          proxies.add(proxy);
          clients.add(
              Holdfast.connect(
                  "redis://127.0.0.1:"
                      + proxy.port()
                      + "?holdfast.lease=2s&holdfast.operationTimeout=500ms"));
        }
        play(server, proxies, clients, history);
        finish(server, clients);
      } finally {
        clients.forEach(Holdfast::close);
        proxies.forEach(FaultProxy::close);
      }
    }
    assertThat(surprises).as("seed " + seed).isEmpty();
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(20);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(20);
    new LossNotices(Duration.ofMillis(250)).check(history).requireClean(20);
    new GuardedWrites().check(history).requireClean(10);
  }

  private void play(
      RedisServer server, List<FaultProxy> proxies, List<Holdfast> clients, HistoryWriter history)
      throws InterruptedException {
    Nemesis nemesis = new Nemesis(server, proxies, seed, TIME);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2 * CLIENTS; i++) {
      Holdfast client = clients.get(i % CLIENTS);
      Random random = new Random(seed + i);
      threads.add(new Thread(() -> compete(client, random, history)));
    }
    threads.forEach(Thread::start);
    nemesis.run();
    calm.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    Figure.print(
        "random faults for %d s (seed %d) %s: %d grants, %d calls without one, %d stale writes"
            + " refused",
        TIME.toSeconds(), seed, nemesis.done(), grants.get(), failures.get(), stale.get());
  }

  /** All clients work again, and then nothing is left. */
  private static void finish(RedisServer server, List<Holdfast> clients)
      throws InterruptedException {
    long start = System.nanoTime();
    for (Holdfast client : clients) {
      for (String name : List.of("any", "fifo")) {
        view(client, name).lock(name).acquire(LONG).close();
      }
    }
    Figure.within(
        Duration.ofSeconds(4),
        System.nanoTime() - start,
        "random faults over: all clients granted");
    StoredKeys.awaitNone(server, LONG);
    Await.until(
        "no waiters",
        LONG,
        () -> clients.stream().allMatch(c -> c.health().counters().get("signals.waiters") == 0));
  }

  private static Holdfast view(Holdfast client, String name) {
    return client.with(o -> o.withOrder(name.equals("fifo") ? Order.FIFO : Order.ANY));
  }

  private void compete(Holdfast client, Random random, HistoryWriter history) {
    while (!calm.get()) {
      String name = random.nextBoolean() ? "any" : "fifo";
      Trace trace = history.trace(name, Integer.toString(numbers.incrementAndGet()));
      try {
        TracedHold traced =
            TracedHold.acquire(
                view(client, name).lock(name), trace, Duration.ofMillis(random.nextInt(3_000)));
        grants.incrementAndGet();
        section(traced, trace, random);
      } catch (HoldfastException e) {
        failures.incrementAndGet();
      } catch (InterruptedException | RuntimeException | Error e) {
        surprises.add(e);
      }
    }
  }

  private void section(TracedHold traced, Trace trace, Random random) {
    long until =
        System.nanoTime() + random.nextInt(random.nextInt(5) == 0 ? 3_000 : 50) * 1_000_000L;
    Await.until("the end", LONG, () -> !traced.look() || System.nanoTime() - until > 0);
    Hold hold = traced.hold();
    trace.writing(hold.token());
    try {
      guard.claim(hold);
      trace.written(hold.token());
    } catch (StaleTokenException e) {
      stale.incrementAndGet();
      trace.writeRefused(hold.token());
    }
    traced.release();
  }
}
