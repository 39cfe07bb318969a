package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that stands still, and then does all that it was asked for meanwhile. */
@Timeout(120)
class FrozenDatabaseIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int GIVEN_UP = 20;

  @ParameterizedTest
  @EnumSource
  @DisplayName("calls end in time, the loss is told, and what was given up is not granted later")
  void frozen(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast holder = Holdfast.connect(server.uri());
        Holdfast asker = Holdfast.connect(server.url() + "&holdfast.lease=60s");
        Holdfast rival = Holdfast.connect(server.url() + "&holdfast.lease=60s")) {
      asker.lock("warm").acquire(LONG).close();
      rival.lock("warm").acquire(LONG).close();
      Hold held = holder.lock("held").acquire(LONG);
      CompletableFuture<Long> told = new CompletableFuture<>();
      held.onLoss(loss -> told.complete(System.nanoTime()));

      long frozen = server.process().pause();
      for (int i = 0; i < GIVEN_UP - 1; i++) {
        givesUp(asker.lock("given-up/" + i).acquireAsync(Duration.ofMillis(100)));
      }
      long start = System.nanoTime();
      givesUp(asker.lock("given-up/last").acquireAsync(Duration.ofMillis(700)));
      Figure.within(
          Duration.ofMillis(800),
          System.nanoTime() - start,
          kind + ", frozen: acquire(700 ms) ended");
      Figure.within(
          LEASE, told.get(30, TimeUnit.SECONDS) - frozen, kind + ", frozen: loss told (lease 2 s)");

      server.process().resume();
      long resumed = System.nanoTime();
      for (int i = 0; i < GIVEN_UP - 1; i++) {
        rival.lock("given-up/" + i).acquire(LONG).close();
      }
      rival.lock("given-up/last").acquire(LONG).close();
      Figure.within(
          Duration.ofSeconds(2),
          System.nanoTime() - resumed,
          kind + ", resumed: " + GIVEN_UP + " locks that were given up (lease 60 s) granted");
      try (Hold next = rival.lock("held").acquire(LONG)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  private static void givesUp(CompletableFuture<Hold> call) {
    Throwable end = catchThrowable(() -> call.get(30, TimeUnit.SECONDS));
    assertThat(end.getCause())
        .isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
  }
}
