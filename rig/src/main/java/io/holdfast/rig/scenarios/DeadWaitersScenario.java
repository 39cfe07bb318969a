package io.holdfast.rig.scenarios;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.clients.WorkerGroup;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Several waiters of one line die at the same time. Every engine must pass it. */
public final class DeadWaitersScenario {

  private static final int DEAD = 5;
  private static final long MOST_SECONDS = 30;

  private DeadWaitersScenario() {}

  /**
   * Five waiters die behind a holder: they cost one lease in all, and those behind them keep their
   * places.
   *
   * @param folder empty; of the histories
   * @param uri the address of the store, with the lease and order FIFO
   * @param awaitPlaces returns when so many wait for {@code x} in the store
   */
  public static void costOneLease(Path folder, String uri, Duration lease, IntConsumer awaitPlaces)
      throws Exception {
    try (HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        Holdfast holder = Holdfast.connect(uri);
        Holdfast live = Holdfast.connect(uri);
        Holdfast last = Holdfast.connect(uri);
        WorkerGroup victims = WorkerGroup.start(DEAD, LockWorker.class, folder, uri)) {
      Hold hold = holder.lock("x").acquire(WorkerJvm.LONG);
      victims.queue("x", awaitPlaces);
      CompletableFuture<Hold> next = live.lock("x").acquireAsync(WorkerJvm.LONG);
      awaitPlaces.accept(DEAD + 1);
      CompletableFuture<Hold> after = last.lock("x").acquireAsync(WorkerJvm.LONG);
      awaitPlaces.accept(DEAD + 2);

      long killed = victims.kill9(notes);
      hold.close();
      Hold granted = next.get(MOST_SECONDS, TimeUnit.SECONDS);
      checkTime(System.nanoTime() - killed, lease);
      if (after.isDone()) {
        throw new AssertionError("the last waiter was granted together with the one before it");
      }
      granted.close();
      after.get(MOST_SECONDS, TimeUnit.SECONDS).close();
    }
  }

  private static void checkTime(long took, Duration lease) {
    Figure.within(
        lease.plusMillis(500),
        took,
        DEAD + " dead waiters ahead (lease " + lease.toMillis() + " ms): next live one in");
    // Without the usual slack, which would let one lease for each of them pass.
    if (took >= lease.multipliedBy(3).toNanos()) {
      throw new AssertionError(
          DEAD + " dead waiters cost more than one lease: " + took / 1_000_000 + " ms");
    }
  }
}
