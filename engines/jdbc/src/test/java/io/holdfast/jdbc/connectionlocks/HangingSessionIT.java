package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client in the mode session whose one connection is there and carries nothing. */
@Timeout(120)
class HangingSessionIT {

  private static final int HOLDS = 20;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mariadb"})
  @DisplayName("loses all of its holds, hears of all of them, and before the server frees one")
  void hangs(String database) throws Exception {
    try (Servers server = Servers.start(database);
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast rival = Holdfast.connect(server.uri("session"));
        Holdfast holder =
            Holdfast.connect(
                server
                    .uri("session")
                    .replace(":" + server.process().port() + "/", ":" + proxy.port() + "/"))) {
      List<Hold> holds = new ArrayList<>();
      List<CompletableFuture<Long>> told = new ArrayList<>();
      for (int i = 0; i < HOLDS; i++) {
        Hold hold = holder.lock("held/" + i).acquire(WAIT);
        CompletableFuture<Long> loss = new CompletableFuture<>();
        hold.onLoss(why -> loss.complete(System.nanoTime()));
        holds.add(hold);
        told.add(loss);
      }
      assertThat(rival.lock("held/0").tryAcquire()).isEmpty();
      proxy.blackHole();
      long cut = System.nanoTime();
      // The server frees all of them at one moment: what is free first is as good as any.
      Hold next = Await.value("the server frees it", WAIT, () -> first(rival));
      assertThat(holds).noneMatch(Hold::isHeld);
      Figure.since(cut, LEASE.multipliedBy(2), database + ": a session hangs: freed");
      long freed = System.nanoTime();
      for (CompletableFuture<Long> loss : told) {
        assertThat(loss.get(30, TimeUnit.SECONDS)).isLessThan(freed);
      }
      assertThat(holds).allMatch(hold -> hold.token() < next.token());
      next.release();
    }
  }

  private static Optional<Hold> first(Holdfast rival) throws InterruptedException {
    for (int i = 0; i < HOLDS; i++) {
      Optional<Hold> hold = rival.lock("held/" + i).tryAcquire();
      if (hold.isPresent()) {
        return hold;
      }
    }
    return Optional.empty();
  }
}
