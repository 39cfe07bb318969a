package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.scenarios.PausedHolderScenario;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A holder that stands still for longer than its lease. */
@Timeout(60)
class PausedHolderIT {

  private static final Duration BOUND = Duration.ofSeconds(3);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("a holder paused past its lease sees the loss at its first look; its write is stale")
  void seesTheLoss(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      new Guarded(server.url()).create();
      WorkerJvm.Grant last =
          new PausedHolderScenario(kind.toString(), BOUND, PausedHolderIT::write)
              .play(Worker.class, folder, server.uri());
      assertThat(
              server.number(
                  "select count(*) from account where writer = '%s'".formatted(last.holdId())))
          .isEqualTo(1);
    }
  }

  private static boolean write(WorkerJvm worker, String hold, WorkerJvm.Grant grant) {
    String number = hold + " " + System.nanoTime();
    return worker.ask("write " + number, "wrote " + number).endsWith(" true");
  }
}
