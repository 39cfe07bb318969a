package io.holdfast.zookeeper.faults;

import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.scenarios.KilledHolderScenario;
import io.holdfast.rig.scenarios.PausedHolderScenario;
import io.holdfast.rig.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holders that die without a word, or stand still for longer than their session. */
@Timeout(120)
class HolderFaultsIT {

  private static final Duration LEASE = Duration.ofSeconds(3);

  /** The session's time, one tick and a second. */
  private static final Duration BOUND = LEASE.plusMillis(200).plusSeconds(1);

  private static ZooKeeperServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String uri(String order) {
    return server.uri() + "/faults?holdfast.lease=3s&holdfast.order=" + order;
  }

  @Test
  @DisplayName("after kill -9 of a holder the next one is in when its session has ended")
  void killed() {
    KilledHolderScenario.nextIsIn(
        LockWorker.class, folder, HolderFaultsIT::uri, BOUND, "ZooKeeper, session 3 s");
  }

  @Test
  @DisplayName("a holder paused past its session sees the loss at its first look; its claim is old")
  void paused() throws Exception {
    new PausedHolderScenario("ZooKeeper, session 3 s", BOUND, HolderFaultsIT::claim)
        .play(Worker.class, folder, uri("any"));
  }

  private static boolean claim(WorkerJvm worker, String hold, WorkerJvm.Grant grant) {
    String number = hold + " " + System.nanoTime();
    return worker.ask("claim " + number, "claimed " + number).endsWith(" true");
  }
}
