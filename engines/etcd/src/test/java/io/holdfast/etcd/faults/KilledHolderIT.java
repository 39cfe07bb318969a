package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.Capacities;
import io.holdfast.rig.EtcdServer;
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
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A holder that dies without a word. */
@Isolated
@Timeout(120)
class KilledHolderIT {

  private static final Duration LEASE = Duration.ofSeconds(2);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("after kill -9 of a holder the next one is in when the lease has ended")
  void nextIsIn(String order) {
    try (EtcdServer server = EtcdServer.start();
        HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test")) {
      String uri = server.uri() + "?holdfast.lease=2s&holdfast.order=" + order;
      try (WorkerJvm a = WorkerJvm.start(Worker.class, folder, "a", uri);
          WorkerJvm b = WorkerJvm.start(Worker.class, folder, "b", uri)) {
        a.awaitReady().acquire("x", "a1", WorkerJvm.LONG);
        WorkerJvm.Grant first = a.awaitAcquired("a1");
        b.awaitReady().acquire("x", "b1", WorkerJvm.LONG);

        long killed = a.kill9(notes);
        WorkerJvm.Grant second = b.awaitAcquired("b1");

        Figure.within(
            LEASE.plusSeconds(1),
            second.nanos() - killed,
            "kill -9 of a holder (lease 2 s, order " + order + "): next grant");
        assertThat(second.token()).isGreaterThan(first.token());
      }
    }
    History history = WorkerJvm.history(folder);
    new Overlap().check(history).requireClean(2);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(2);
  }
}
