package io.holdfast.etcd.faults;

import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.Capacities;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.FaultProxy;
import io.holdfast.rig.Figure;
import io.holdfast.rig.History;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.Overlap;
import io.holdfast.rig.TokenOrder;
import io.holdfast.rig.WakeUps;
import io.holdfast.rig.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a waiter is in after a release, with watches and with connections that break. */
@Isolated
@Timeout(120)
class U14WakeUpIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Executor THREADS = body -> new Thread(body, "pair").start();
  private static final EtcdServer SERVER = EtcdServer.start();

  @TempDir Path folder;

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("with signals a waiter is in within 50 ms of the release, at the 99th percentile")
  void signalled(String order) throws Exception {
    WakeUps wakeUps = handOver(SERVER.port(), "?holdfast.order=" + order, 1, 150, 5);
    Figure.print("signals, order %s: %s (bound p99 50 ms)", order, wakeUps);
    wakeUps.within(Duration.ofMillis(Figure.SLACK * 1_000)).requireClean(140);
    if (wakeUps.p99().toMillis() > Figure.SLACK * 50) {
      throw new AssertionError("too slow: " + wakeUps);
    }
  }

  @Test
  @DisplayName("beside others that write all the time a waiter is in as soon")
  void besideOthers() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread others = new Thread(() -> writeAllTheTime(stop));
    others.start();
    try {
      WakeUps wakeUps = handOver(SERVER.port(), "?holdfast.order=fifo", 1, 150, 5);
      Figure.print("signals beside a busy client: %s (bound p99 50 ms)", wakeUps);
      // A server serves watches that begin in the past ten times a second, which shows here.
      if (wakeUps.p99().toMillis() > Figure.SLACK * 50) {
        throw new AssertionError("too slow: " + wakeUps);
      }
    } finally {
      stop.set(true);
      others.join();
    }
  }

  private static void writeAllTheTime(AtomicBoolean stop) {
    try (Holdfast busy = Holdfast.connect(SERVER.uri())) {
      while (!stop.get()) {
        busy.lock("other").acquire(LONG).close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("with every watch lost a waiter is in within a second")
  void lost() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(SERVER.process())) {
      AtomicBoolean stop = new AtomicBoolean();
      Thread nemesis = new Thread(() -> cutAgainAndAgain(proxy, stop));
      nemesis.start();
      try {
        WakeUps wakeUps = handOver(proxy.port(), "?holdfast.order=fifo", 4, 2, 1_000);
        Figure.print("connections reset every 300 ms: %s (bound 1 s)", wakeUps);
        wakeUps.within(Duration.ofSeconds(Figure.SLACK)).requireClean(4);
      } finally {
        stop.set(true);
        nemesis.join();
      }
    }
  }

  private static void cutAgainAndAgain(FaultProxy proxy, AtomicBoolean stop) {
    while (!stop.get()) {
      proxy.reset();
      long from = System.nanoTime();
      Await.until("a while", LONG, () -> System.nanoTime() - from > 300_000_000L);
    }
  }

  /** Every hand-over has a waiter that has been waiting for about so long. */
  private WakeUps handOver(int port, String options, int locks, int times, long millis)
      throws Exception {
    try (HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast a = Holdfast.connect("etcd://127.0.0.1:" + port + options);
        Holdfast b = Holdfast.connect("etcd://127.0.0.1:" + port + options)) {
      Pair pair = new Pair(a, b, history);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < locks; i++) {
        String lock = "x" + i;
        all.add(CompletableFuture.runAsync(() -> handOver(pair, lock, times, millis), THREADS));
      }
      for (CompletableFuture<Void> one : all) {
        one.get(50, TimeUnit.SECONDS);
      }
    }
    History history = WorkerJvm.history(folder);
    long least = (long) locks * times;
    new Overlap().check(history).requireClean(least);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(least);
    return WakeUps.of(history);
  }

  private static void handOver(Pair pair, String lock, int times, long millis) {
    try {
      pair.handOver(lock, times, () -> work(millis));
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private static void work(long millis) {
    long from = System.nanoTime();
    long nanos = 1_000 * ThreadLocalRandom.current().nextLong(500 * millis, 1_500 * millis);
    Await.until("work", LONG, () -> System.nanoTime() - from > nanos);
  }
}
