package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.etcd.Engines;
import io.holdfast.rig.Await;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.Figure;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.WorkerJvm;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The capacity of a semaphore is there for as long as somebody is in line, and no longer. */
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
  @DisplayName("who comes after the one that opened the line keeps it, also with a longer lease")
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
      assertThat(brief.semaphore("other").tryAcquire()).hasValueSatisfying(Hold::close);
      hold.close();
      same.close();
      assertThat(server.keys("holdfast/line/")).isEmpty();
    }
  }

  @Test
  @DisplayName("it goes with the last one that an operator takes out, and stays through a resize")
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
