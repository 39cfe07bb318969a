package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.etcd.Engines;
import io.holdfast.rig.checks.HeldHolds;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The capacity of a semaphore exists as long as its line has tickets, and no longer. */
@Isolated
@Timeout(120)
class CapacityIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String BRIEF = "?holdfast.lease=2s";

  private EtcdServer server;

  @TempDir Path folder;

  @BeforeEach
  void start() {
    server = EtcdServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void pass(Duration time) {
    long from = System.nanoTime();
    Await.until("time passes", time.plus(LONG), () -> System.nanoTime() - from > time.toNanos());
  }

  @Test
  @DisplayName("when the last one in line was killed, it ends by itself")
  void nobodyIsLeft() {
    try (HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        WorkerJvm worker = WorkerJvm.start(Worker.class, folder, "w", server.uri() + BRIEF)) {
      worker.awaitReady().ask("permit pool", "permit pool ");
      assertThat(server.keys("holdfast/line/")).hasSize(2);
      long killed = worker.kill9(notes);
      Lines.awaitNone(server, LONG);
      Figure.since(killed, Duration.ofSeconds(5), "kill -9 of the last in line: nothing is left");
    }
  }

  @Test
  @DisplayName("clients that join later keep it, even with a longer lease")
  void othersKeepIt() throws Exception {
    try (HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        WorkerJvm opener = WorkerJvm.start(Worker.class, folder, "w", server.uri() + BRIEF);
        Holdfast brief = Holdfast.connect(server.uri() + BRIEF);
        Holdfast patient = Holdfast.connect(server.uri() + "?holdfast.lease=30s")) {
      opener.awaitReady().ask("permit pool", "permit pool ");
      Hold hold = patient.semaphore("pool", 2).acquire(LONG);
      opener.ask("permit other", "permit other ");
      Hold same = brief.semaphore("other", 2).acquire(LONG);
      opener.kill9(notes);
      pass(Duration.ofSeconds(7));
      hold.ensureHeld();
      same.ensureHeld();
      brief.semaphore("pool", 2).acquire(LONG).close();
      assertThat(adopt(brief, same)).hasValueSatisfying(Hold::close);
      hold.close();
      same.close();
      assertThat(server.keys("holdfast/line/")).isEmpty();
    }
  }

  /** Acquires a permit of the capacity that a hold keeps, unless the hold was renewed too late. */
  private static Optional<Hold> adopt(Holdfast client, Hold keeper) throws InterruptedException {
    try {
      return client.semaphore(keeper.name()).tryAcquire();
    } catch (LockRefusedException e) {
      HeldHolds.requireAll(List.of(keeper), "holds that keep a capacity");
      throw e;
    }
  }

  @Test
  @DisplayName("it is deleted with the last evicted ticket, and stays through a resize")
  void evicted() throws Exception {
    try (Holdfast holdfast = Holdfast.connect(server.uri());
        LockEngine operator = Engines.open(server.uri())) {
      Hold hold = holdfast.semaphore("pool", 2).acquire(LONG);
      assertThat(holdfast.semaphore("pool").resize(3)).isTrue();
      holdfast.semaphore("pool", 3).acquire(LONG).close();
      EngineInspector inspector = operator.inspector().orElseThrow();
      Resource pool = new Resource("default", "pool");
      assertThat(inspector.evict(pool, hold.token(), "test"))
          .isEqualTo(EngineInspector.Verdict.DONE);
      assertThat(server.keys("holdfast/line/")).isEmpty();
    }
  }
}
