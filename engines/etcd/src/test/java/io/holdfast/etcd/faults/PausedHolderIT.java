package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StaleTokenException;
import io.holdfast.memory.MemoryFenceGuard;
import io.holdfast.rig.Capacities;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.Figure;
import io.holdfast.rig.GuardedWrites;
import io.holdfast.rig.History;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.LossNotices;
import io.holdfast.rig.Overlap;
import io.holdfast.rig.TokenOrder;
import io.holdfast.rig.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A holder that stands still for longer than its lease, as in a long collection of garbage. */
@Isolated
@Timeout(120)
class PausedHolderIT {

  private static final Duration LEASE = Duration.ofSeconds(2);

  private final MemoryFenceGuard guard = new MemoryFenceGuard();

  @TempDir Path folder;

  @Test
  @DisplayName("a holder paused past its lease sees the loss at its first look, told once")
  void seesTheLoss() {
    try (EtcdServer server = EtcdServer.start();
        HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test")) {
      String uri = server.uri() + "?holdfast.lease=2s";
      try (WorkerJvm a = WorkerJvm.start(Worker.class, folder, "a", uri);
          WorkerJvm b = WorkerJvm.start(Worker.class, folder, "b", uri)) {
        a.awaitReady().acquire("x", "a1", WorkerJvm.LONG);
        WorkerJvm.Grant first = a.awaitAcquired("a1");
        write("a1", first, notes);
        b.awaitReady().acquire("x", "b1", WorkerJvm.LONG);

        long paused = a.pause(notes);
        WorkerJvm.Grant second = b.awaitAcquired("b1");
        write("b1", second, notes);
        // The late write of the old holder, which it decided on before it stood still.
        assertThatThrownBy(() -> guard.claim("x", first.token(), first.holdId()))
            .isInstanceOf(StaleTokenException.class);
        long resumed = System.nanoTime();
        a.jvm().resume();
        a.jvm().say("look a1");

        assertThat(a.jvm().awaitLine("looked a1", WorkerJvm.LONG)).endsWith("false");
        Figure.within(
            LEASE.plusSeconds(1), second.nanos() - paused, "SIGSTOP of a holder: next grant");
        Figure.within(
            Duration.ofMillis(50), a.awaitLost("a1") - resumed, "SIGCONT of a holder: loss told");
        b.jvm().say("release b1");
        assertThat(b.jvm().awaitLine("released b1", WorkerJvm.LONG)).endsWith("RELEASED");
        a.jvm().say("release a1");
        assertThat(a.jvm().awaitLine("released a1", WorkerJvm.LONG)).endsWith("LOST");
        assertThat(a.jvm().lines()).filteredOn(line -> line.startsWith("lost ")).hasSize(1);
      }
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(2);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(2);
    new LossNotices().check(history).requireClean(2);
    new GuardedWrites().check(history).requireClean(2);
  }

  private void write(String hold, WorkerJvm.Grant grant, HistoryWriter notes) {
    guard.claim("x", grant.token(), grant.holdId());
    notes.trace("x", hold).written(grant.token());
  }
}
