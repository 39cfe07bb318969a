package io.holdfast.redis.faults;

import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.scenarios.PausedHolderScenario;
import io.holdfast.rig.servers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A holder that stands still for longer than its lease. */
@Isolated
@Timeout(60)
class PausedHolderIT {

  private static final Duration BOUND = Duration.ofSeconds(3);

  @TempDir Path folder;

  @Test
  @DisplayName("a holder paused past its lease sees the loss at its first look, told once")
  void seesTheLoss() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      new PausedHolderScenario("Redis", BOUND, PausedHolderScenario.inMemory())
          .play(LockWorker.class, folder, server.uri() + "?holdfast.lease=2s");
    }
  }
}
