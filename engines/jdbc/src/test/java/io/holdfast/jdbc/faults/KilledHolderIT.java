package io.holdfast.jdbc.faults;

import io.holdfast.rig.Capacities;
import io.holdfast.rig.Figure;
import io.holdfast.rig.History;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.Overlap;
import io.holdfast.rig.TokenOrder;
import io.holdfast.rig.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A holder that dies without a word. */
@Timeout(60)
class KilledHolderIT {

  private static final Duration LEASE = Duration.ofSeconds(2);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("after kill -9 of a holder the next one is in when the lease has ended")
  void nextIsIn(Server.Kind kind) {
    try (Server server = kind.start();
        HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        WorkerJvm a = WorkerJvm.start(Worker.class, folder, "a", server.uri());
        WorkerJvm b = WorkerJvm.start(Worker.class, folder, "b", server.uri());
        WorkerJvm fifo =
            WorkerJvm.start(Worker.class, folder, "fifo", server.uri() + "&holdfast.order=fifo");
        WorkerJvm next =
            WorkerJvm.start(Worker.class, folder, "next", server.uri() + "&holdfast.order=fifo")) {
      take("any", a, b);
      take("fifo", fifo, next);
      long killed = a.kill9(notes);
      long killedInLine = fifo.kill9(notes);
      getsIn(kind, "any", b, killed);
      getsIn(kind, "fifo", next, killedInLine);
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

  private static void getsIn(Server.Kind kind, String order, WorkerJvm waiter, long killed) {
    Figure.within(
        LEASE.plusSeconds(1),
        waiter.awaitAcquired(order + 2).nanos() - killed,
        "%s: kill -9 of a holder (lease 2 s, order %s): next grant".formatted(kind, order));
  }
}
