package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** U59. A permit whose holder died is back within one lease, however many died. */
class U59PermitsSurviveCrashesTest {

  private static final int PERMITS = 5;
  private static final int CRASHES = 10_000;

  private final TestWorld world = new TestWorld().drive();
  private final MemoryEngine engine = MemoryEngine.create(world::nanoTime, world::epochMicros);
  private final Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
  private final SplittableRandom random = new SplittableRandom(59);

  private int taken() {
    return inLine().stream()
        .filter(ticket -> ticket.token() != 0)
        .mapToInt(EngineInspector.TicketView::weight)
        .sum();
  }

  private List<EngineInspector.TicketView> inLine() {
    try {
      return engine
          .inspector()
          .orElseThrow()
          .show(new Resource("default", "pool"))
          .map(EngineInspector.LineView::tickets)
          .orElse(List.of());
    } catch (io.holdfast.spi.EngineException e) {
      throw new AssertionError(e);
    }
  }

  /** Takes permits, or a place in the line, and then crashes. */
  private boolean crash() throws Exception {
    Ticket ticket = Tickets.of("pool", Shape.semaphore(PERMITS), 1 + random.nextInt(3));
    return engine.attempt(ticket, () -> {}) instanceof Standing.Granted;
  }

  @Test
  void afterTenThousandCrashesAllPermitsAreThereAndNeverMore() throws Exception {
    int withPermits = 0;
    int served = 0;
    for (int i = 0; i < CRASHES; i++) {
      if (random.nextInt(3) > 0) {
        world.advance(Duration.ofMillis(random.nextInt(20_000)));
      }
      withPermits += crash() ? 1 : 0;
      assertThat(taken()).isLessThanOrEqualTo(PERMITS);
      Optional<Hold> mine = holdfast.semaphore("pool", PERMITS).tryAcquire(Duration.ofSeconds(2));
      served += mine.isPresent() ? 1 : 0;
      assertThat(taken()).isLessThanOrEqualTo(PERMITS);
      mine.ifPresent(Hold::release);
    }
    world.advance(Tickets.LEASE);
    assertThat(inLine()).isEmpty();
    List<Hold> all = new ArrayList<>();
    for (int i = 0; i < PERMITS; i++) {
      all.add(holdfast.semaphore("pool", PERMITS).tryAcquire().orElseThrow());
    }
    assertThat(holdfast.semaphore("pool", PERMITS).tryAcquire()).isEmpty();
    all.forEach(Hold::release);
    System.out.printf("%d crashes, %d with permits, %d served%n", CRASHES, withPermits, served);
    assertThat(withPermits).isGreaterThan(1_000);
    assertThat(served).isGreaterThan(1_000);
  }

  @Test
  void aCrashedHoldersPermitsComeToTheWaiterWithinOneLease() throws Exception {
    Ticket all = Tickets.of("pool", Shape.semaphore(PERMITS), PERMITS);
    assertThat(engine.attempt(all, () -> {})).isInstanceOf(Standing.Granted.class);
    CompletableFuture<Hold> waiter =
        holdfast.semaphore("pool", PERMITS).permits(4).acquireAsync(Duration.ofMinutes(5));
    world.advance(Tickets.LEASE.minusNanos(1));
    assertThat(waiter).isNotDone();
    world.advance(Duration.ofMillis(1));
    assertThat(waiter).isCompletedWithValueMatching(Hold::isHeld);
  }
}
