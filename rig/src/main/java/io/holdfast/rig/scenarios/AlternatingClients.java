package io.holdfast.rig.scenarios;

import io.holdfast.Holdfast;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.Trace;
import io.holdfast.rig.history.TracedHold;
import java.util.concurrent.CompletableFuture;

/** Two clients that hand one lock to and fro, and write down when. */
final class AlternatingClients {

  private final Holdfast first;
  private final Holdfast second;
  private final HistoryWriter history;

  AlternatingClients(Holdfast first, Holdfast second, HistoryWriter history) {
    this.first = first;
    this.second = second;
    this.history = history;
  }

  /** Each client asks while the other one holds, so that every release has a waiter. */
  void handOver(String lock, int times, Runnable whileOneWaits) throws Exception {
    TracedHold held = acquire(first, lock, 0);
    for (int i = 1; i <= times; i++) {
      Holdfast next = i % 2 == 0 ? first : second;
      int number = i;
      CompletableFuture<TracedHold> waiting = new CompletableFuture<>();
      Thread waiter = new Thread(() -> acquire(next, lock, number, waiting), "waiter");
      waiter.start();
      whileOneWaits.run();
      held.release();
      held = waiting.get();
      waiter.join();
    }
    held.release();
  }

  private void acquire(
      Holdfast client, String lock, int number, CompletableFuture<TracedHold> waiting) {
    try {
      waiting.complete(acquire(client, lock, number));
    } catch (InterruptedException | RuntimeException e) {
      waiting.completeExceptionally(e);
    }
  }

  private TracedHold acquire(Holdfast client, String lock, int number) throws InterruptedException {
    Trace trace = history.trace(lock, Integer.toString(number));
    return TracedHold.acquire(client.lock(lock), trace, WorkerJvm.LONG);
  }
}
