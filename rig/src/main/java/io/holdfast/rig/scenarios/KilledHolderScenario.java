package io.holdfast.rig.scenarios;

import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A holder is killed, once in each order. Every engine must pass it. */
public final class KilledHolderScenario {

  private KilledHolderScenario() {}

  /**
   * Kills two holders, of which each has a waiter, and waits until those are in.
   *
   * @param program of the workers
   * @param folder empty; of the histories
   * @param uri the address of the store for clients in this order, {@code any} or {@code fifo}
   * @param bound within which the next one is in
   * @param store for people
   */
  public static void nextIsIn(
      Class<?> program, Path folder, UnaryOperator<String> uri, Duration bound, String store) {
    String any = uri.apply("any");
    String fifo = uri.apply("fifo");
    try (HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        WorkerJvm holder = WorkerJvm.start(program, folder, "holder", any);
        WorkerJvm waiter = WorkerJvm.start(program, folder, "waiter", any);
        WorkerJvm first = WorkerJvm.start(program, folder, "first", fifo);
        WorkerJvm next = WorkerJvm.start(program, folder, "next", fifo)) {
      take("any", holder, waiter);
      take("fifo", first, next);
      long killed = holder.kill9(notes);
      long killedInLine = first.kill9(notes);
      getsIn("any", waiter, killed, bound, store);
      getsIn("fifo", next, killedInLine, bound, store);
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(4);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(4);
  }

  /** The order is the name of the lock as well. */
  private static void take(String order, WorkerJvm holder, WorkerJvm waiter) {
    holder.awaitReady().acquire(order, order + 1, WorkerJvm.LONG);
    holder.awaitAcquired(order + 1);
    waiter.awaitReady().acquire(order, order + 2, WorkerJvm.LONG);
  }

  private static void getsIn(
      String order, WorkerJvm waiter, long killed, Duration bound, String store) {
    Figure.within(
        bound,
        waiter.awaitAcquired(order + 2).nanos() - killed,
        store + ": kill -9 of a holder, order " + order + ": next grant");
  }
}
