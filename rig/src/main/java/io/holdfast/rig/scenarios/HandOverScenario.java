package io.holdfast.rig.scenarios;

import io.holdfast.Holdfast;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.checks.WakeUps;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.time.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Two clients alternate on locks; measures the delay from release to next grant.
 *
 * @param locks that are handed over at the same time
 * @param times that each of them is handed over
 * @param waiting for about how long a waiter has been waiting at the release
 */
public record HandOverScenario(int locks, int times, Duration waiting) {

  private static final long MOST_SECONDS = 50;
  private static final Executor THREADS = body -> new Thread(body, "pair").start();

  /**
   * Plays it.
   *
   * @param folder empty; of the history
   * @return how soon waiters were in; who overlapped with whom has been checked
   */
  public WakeUps play(Path folder, String uri) throws Exception {
    try (HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test");
        Holdfast a = Holdfast.connect(uri);
        Holdfast b = Holdfast.connect(uri)) {
      AlternatingClients pair = new AlternatingClients(a, b, history);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < locks; i++) {
        String lock = "x" + i;
        all.add(CompletableFuture.runAsync(() -> handOver(pair, lock), THREADS));
      }
      for (CompletableFuture<Void> one : all) {
        one.get(MOST_SECONDS, TimeUnit.SECONDS);
      }
    }
    History history = WorkerJvm.history(folder);
    long least = (long) locks * times;
    new Overlap().check(history).requireClean(least);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(least);
    return WakeUps.of(history);
  }

  private void handOver(AlternatingClients pair, String lock) {
    try {
      pair.handOver(lock, times, this::work);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private void work() {
    long from = System.nanoTime();
    long most = waiting.toNanos() * 3 / 2;
    long nanos = ThreadLocalRandom.current().nextLong(waiting.toNanos() / 2, most);
    Await.until("work", WorkerJvm.LONG, () -> System.nanoTime() - from > nanos);
  }
}
