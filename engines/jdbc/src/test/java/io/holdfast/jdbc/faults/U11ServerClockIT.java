package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.servers.ServerClock;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A database whose wall clock is stepped. Leases are counted on it, so a step forward ends them
 * early and a step back prolongs them, as the documents say; the tokens rise all the same.
 */
@Timeout(120)
class U11ServerClockIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration STEP = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource
  @DisplayName("forward: the old holder is fenced; back: nobody gets in early; tokens rise")
  void steps(Server.Kind kind) throws Exception {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock clock = ServerClock.create();
        Server server = kind.start(clock);
        Holdfast a = Holdfast.connect(server.uri());
        Holdfast b = Holdfast.connect(server.uri())) {
      Guarded data = new Guarded(server.url());
      data.create();
      List<Long> tokens = new ArrayList<>();
      forward(kind, clock, data, a, b, tokens);
      clock.step(STEP.negated());
      rise(a, b, tokens);
      back(server, clock, a, b, tokens);
      clock.step(STEP);
      rise(a, b, tokens);
      assertThat(tokens).isSorted().doesNotHaveDuplicates();
      Figure.print("%s: clock +60 s, -60 s, -60 s, +60 s: %d tokens rose", kind, tokens.size());
    }
  }

  private static void forward(
      Server.Kind kind, ServerClock clock, Guarded data, Holdfast a, Holdfast b, List<Long> tokens)
      throws Exception {
    Hold first = a.lock("x").acquire(LONG);
    tokens.add(first.token());
    CompletableFuture<Hold> waits = b.lock("x").acquireAsync(LONG);
    clock.step(STEP);
    long start = System.nanoTime();
    Hold second = waits.get(30, TimeUnit.SECONDS);
    long in = System.nanoTime();
    tokens.add(second.token());
    boolean both = first.isHeld();
    assertThat(data.write(second)).isTrue();
    assertThat(data.write(first)).as("the old holder is fenced").isFalse();
    Await.until("the old holder hears of it", LONG, () -> !first.isHeld());
    Figure.print(
        "%s: clock +60 s: next grant after %,d ms, first holder %s then, told after %,d ms more",
        kind,
        (in - start) / 1_000_000,
        both ? "believed" : "knew",
        (System.nanoTime() - in) / 1_000_000);
    second.close();
  }

  /** A holder that lives keeps its hold; the lease of a dead one only gets longer. */
  private static void back(
      Server server, ServerClock clock, Holdfast a, Holdfast b, List<Long> tokens)
      throws Exception {
    Hold lives = a.lock("x").acquire(LONG);
    tokens.add(lives.token());
    try (LockEngine dead =
        JdbcEngine.open(JdbcOptions.of(server.url()), Tickets.settings(Duration.ofSeconds(2)))) {
      dead.attempt(Tickets.mutex("dead", Duration.ofSeconds(2)), () -> {});
    }
    clock.step(STEP.negated());
    CompletableFuture<Optional<Hold>> early =
        b.lock("x")
            .acquireAsync(Duration.ofSeconds(3))
            .handle((hold, e) -> Optional.ofNullable(hold));
    assertThat(b.lock("dead").tryAcquire(Duration.ofSeconds(3))).isEmpty();
    assertThat(early.get(30, TimeUnit.SECONDS)).isEmpty();
    lives.ensureHeld();
    CompletableFuture<Hold> waits = b.lock("x").acquireAsync(LONG);
    lives.close();
    Hold next = waits.get(30, TimeUnit.SECONDS);
    tokens.add(next.token());
    next.close();
    clock.step(STEP);
    long start = System.nanoTime();
    b.lock("dead").acquire(LONG).close();
    Figure.print(
        "%s: clock -60 s: nobody in for 3 s (lease 2 s); right again: in after %,d ms",
        server, (System.nanoTime() - start) / 1_000_000);
    clock.step(STEP.negated());
  }

  private static void rise(Holdfast a, Holdfast b, List<Long> tokens) throws Exception {
    for (int i = 0; i < 20; i++) {
      try (Hold hold = (i % 2 == 0 ? a : b).lock("x").acquire(LONG)) {
        tokens.add(hold.token());
      }
    }
  }
}
