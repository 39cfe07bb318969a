package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.Capacities;
import io.holdfast.rig.Figure;
import io.holdfast.rig.History;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.LossNotices;
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

/** A holder that stands still for longer than its lease, as in a long collection of garbage. */
@Timeout(60)
class PausedHolderIT {

  private static final Duration LEASE = Duration.ofSeconds(2);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("a holder paused past its lease sees the loss at its first look; its write is stale")
  void seesTheLoss(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test")) {
      new Guarded(server.url()).create();
      try (WorkerJvm a = WorkerJvm.start(Worker.class, folder, "a", server.uri());
          WorkerJvm b = WorkerJvm.start(Worker.class, folder, "b", server.uri())) {
        a.awaitReady().acquire("x", "a1", WorkerJvm.LONG);
        WorkerJvm.Grant first = a.awaitAcquired("a1");
        assertThat(a.ask("write a1", "wrote a1")).endsWith("true");
        b.awaitReady().acquire("x", "b1", WorkerJvm.LONG);

        long paused = a.pause(notes);
        WorkerJvm.Grant second = b.awaitAcquired("b1");
        assertThat(b.ask("write b1", "wrote b1")).endsWith("true");
        long resumed = System.nanoTime();
        a.jvm().resume();

        assertThat(a.ask("look a1", "looked a1")).endsWith("false");
        assertThat(a.ask("write a1", "wrote a1 false")).endsWith("false");
        assertThat(
                server.number(
                    "select count(*) from account where writer = '%s'".formatted(second.holdId())))
            .isEqualTo(1);
        Figure.within(
            LEASE.plusSeconds(1),
            second.nanos() - paused,
            kind + ": SIGSTOP of a holder: next grant");
        Figure.within(
            Duration.ofMillis(50),
            a.awaitLost("a1") - resumed,
            kind + ": SIGCONT of a holder: loss told");
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(b.ask("release b1", "released b1")).endsWith("RELEASED");
        assertThat(a.ask("release a1", "released a1")).endsWith("LOST");
        assertThat(a.jvm().lines()).filteredOn(line -> line.startsWith("lost ")).hasSize(1);
      }
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(2);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(2);
    new LossNotices().check(history).requireClean(2);
  }
}
