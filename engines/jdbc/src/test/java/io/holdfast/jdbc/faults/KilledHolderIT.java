package io.holdfast.jdbc.faults;

import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.scenarios.KilledHolderScenario;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A holder that dies without a word. */
@Timeout(60)
class KilledHolderIT {

  private static final Duration BOUND = Duration.ofSeconds(3);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("after kill -9 of a holder the next one is in when the lease of 2 s has ended")
  void nextIsIn(Server.Kind kind) {
    try (Server server = kind.start()) {
      String uri = server.uri() + "&holdfast.order=";
      KilledHolderScenario.nextIsIn(LockWorker.class, folder, uri::concat, BOUND, kind.toString());
    }
  }
}
