package io.holdfast.etcd.faults;

import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.scenarios.PausedHolderScenario;
import io.holdfast.rig.servers.EtcdServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A holder that stands still for longer than its lease. */
@Isolated
@Timeout(120)
class PausedHolderIT {

  private static final Duration BOUND = Duration.ofSeconds(3);

  @TempDir Path folder;

  @Test
  @DisplayName("a holder paused past its lease sees the loss at its first look, told once")
  void seesTheLoss() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      new PausedHolderScenario("etcd", BOUND, PausedHolderScenario.inMemory())
          .play(LockWorker.class, folder, server.uri() + "?holdfast.lease=2s");
    }
  }
}
