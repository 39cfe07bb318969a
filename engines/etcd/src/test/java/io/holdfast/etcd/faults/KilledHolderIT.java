package io.holdfast.etcd.faults;

import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.scenarios.KilledHolderScenario;
import io.holdfast.rig.servers.EtcdServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A holder that dies without a word. */
@Isolated
@Timeout(120)
class KilledHolderIT {

  private static final Duration BOUND = Duration.ofSeconds(3);

  @TempDir Path folder;

  @Test
  @DisplayName("after kill -9 of a holder the next one is in when the lease of 2 s has ended")
  void nextIsIn() {
    try (EtcdServer server = EtcdServer.start()) {
      String uri = server.uri() + "?holdfast.lease=2s&holdfast.order=";
      KilledHolderScenario.nextIsIn(LockWorker.class, folder, uri::concat, BOUND, "etcd");
    }
  }
}
