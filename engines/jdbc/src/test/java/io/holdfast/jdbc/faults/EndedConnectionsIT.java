package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that an administrator ends; other ways to be cut off are in the fault kit, F06. */
@Timeout(120)
class EndedConnectionsIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @ParameterizedTest
  @EnumSource
  @DisplayName("connections that an administrator ends cost neither a hold nor a wait")
  void ended(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast mine = Holdfast.connect(server.uri());
        Holdfast theirs = Holdfast.connect(server.uri())) {
      Hold held = mine.lock("held").acquire(LONG);
      for (int i = 0; i < 3; i++) {
        Hold hold = mine.lock("x").acquire(LONG);
        CompletableFuture<Hold> waits = theirs.lock("x").acquireAsync(LONG);
        int connections = server.endConnections();
        long ended = System.nanoTime();
        hold.release();
        Hold next = waits.get(30, TimeUnit.SECONDS);
        Figure.within(
            Duration.ofSeconds(1),
            System.nanoTime() - ended,
            server + ": " + connections + " connections ended: next grant");
        assertThat(next.token()).isGreaterThan(hold.token());
        next.release();
        held.ensureHeld();
      }
      held.release();
    }
  }
}
