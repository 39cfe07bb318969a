package io.holdfast.etcd.faults;

import io.holdfast.Holdfast;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.TracedHold;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Two clients that hand one lock to and fro, and write down when. */
final class Pair {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Holdfast first;
  private final Holdfast second;
  private final HistoryWriter history;

  Pair(Holdfast first, Holdfast second, HistoryWriter history) {
    this.first = first;
    this.second = second;
    this.history = history;
  }

  /** Each client asks while the other one holds, so that every release has a waiter. */
  void handOver(String lock, int times, Runnable whileOneWaits) throws Exception {
    TracedHold held = TracedHold.acquire(first.lock(lock), history.trace(lock, "0"), LONG);
    for (int i = 1; i <= times; i++) {
      Holdfast next = i % 2 == 0 ? first : second;
      String id = Integer.toString(i);
      CompletableFuture<TracedHold> waiting = new CompletableFuture<>();
      Thread waiter = new Thread(() -> acquire(next, lock, id, waiting), "waiter");
      waiter.start();
      whileOneWaits.run();
      held.release();
      held = waiting.get();
      waiter.join();
    }
    held.release();
  }

  private void acquire(
      Holdfast client, String lock, String id, CompletableFuture<TracedHold> waiting) {
    try {
      waiting.complete(TracedHold.acquire(client.lock(lock), history.trace(lock, id), LONG));
    } catch (InterruptedException | RuntimeException e) {
      waiting.completeExceptionally(e);
    }
  }
}
