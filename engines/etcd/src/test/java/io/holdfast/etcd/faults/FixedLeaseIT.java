package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Leases that are not renewed, while others of the same client are. */
@Isolated
@Timeout(120)
class FixedLeaseIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long LEASE = 6;

  @TempDir Path folder;

  @Test
  @DisplayName("a fixed lease ends in its time, though its client kept another until it died")
  void endsInItsTime() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        Holdfast other = Holdfast.connect(server.uri());
        WorkerJvm worker =
            WorkerJvm.start(
                Worker.class, folder, "w", server.uri() + "?holdfast.lease=" + LEASE + "s")) {
      worker.awaitReady().acquire("kept", "k", WorkerJvm.LONG);
      worker.awaitAcquired("k");
      worker.ask("fixed brief " + LEASE, "fixed brief ");
      long acquired = System.nanoTime();
      CompletableFuture<Hold> next = other.lock("brief").acquireAsync(LONG);
      Await.until("its end is near", LONG, () -> System.nanoTime() - acquired > 5_600_000_000L);
      worker.kill9(notes);
      next.get(60, TimeUnit.SECONDS).close();
      long nanos = System.nanoTime() - acquired;
      Figure.within(Duration.ofSeconds(LEASE + 1), nanos, "fixed lease of 6 s: next in");
      // The lease that was renewed ends at nine seconds and a half, at the earliest.
      assertThat(Duration.ofNanos(nanos)).isLessThan(Duration.ofMillis(8_700));
    }
  }
}
