package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Timers, lanes, tries and releases that could wait for ever. */
class NothingIsStrandedTest {

  private static final Duration WAIT = Duration.ofSeconds(5);

  private final Earth world = new Earth();
  private final MemoryEngine memory = MemoryEngine.create(world::nanoTime, world::epochMicros);

  @Test
  void cancelledFuturesKeepNoTimers() throws Exception {
    try (Holdfast holdfast = Holdfast.open(memory, HoldfastOptions.DEFAULTS, world);
        Hold hold = holdfast.lock("a").acquire(WAIT)) {
      int before = world.timers.get();
      for (int i = 0; i < 200; i++) {
        holdfast.lock("a").acquireAsync(Duration.ofHours(1)).cancel(true);
      }
      assertThat(hold.isHeld()).isTrue();
      assertThat(world.timers.get()).isLessThanOrEqualTo(before + 2);
    }
  }

  @Test
  void aLaneWhoseThreadCouldNotBeStartedRecovers() throws Exception {
    world.refuseThreads = 1;
    try (Holdfast holdfast = Holdfast.open(new Slow(memory), HoldfastOptions.DEFAULTS, world)) {
      try (Hold hold = holdfast.lock("a").acquire(WAIT)) {
        assertThat(hold.isHeld()).isTrue();
      }
      assertThat(world.refuseThreads).isZero();
    }
  }

  @Test
  void aFutureThatMayNotWaitStillGetsWhatIsFree() throws Exception {
    try (Holdfast holdfast = Holdfast.open(new Slow(memory), HoldfastOptions.DEFAULTS, world)) {
      Hold hold = holdfast.lock("a").acquireAsync(Duration.ZERO).get();
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      assertThat(holdfast.once("b", WAIT).run(Duration.ZERO, run -> {})).isEqualTo(Once.Result.RAN);
    }
  }

  @Test
  void aTryBehindAWaitingSiblingEndsAtOnce() throws Exception {
    Holdfast rival = Holdfast.connect("memory:stranded");
    Holdfast holdfast = Holdfast.connect("memory:stranded");
    Hold hold = rival.lock("a").acquire(WAIT);
    CompletableFuture<Hold> sibling = holdfast.lock("a").acquireAsync(Duration.ofMinutes(1));
    long quickest = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long began = System.nanoTime();
      assertThat(holdfast.lock("a").tryAcquire()).isEmpty();
      quickest = Math.min(quickest, System.nanoTime() - began);
    }
    System.out.printf("a try behind a waiting sibling: %.3f ms%n", quickest / 1e6);
    assertThat(quickest).isLessThan(100_000_000L);
    hold.release();
    assertThat(sibling.get().release()).isEqualTo(Outcome.RELEASED);
    holdfast.close();
    rival.close();
  }

  @Test
  void closingWaitsForAReleaseThatIsUnderWay() throws Exception {
    Slow slow = new Slow(memory);
    Holdfast holdfast = Holdfast.open(slow, HoldfastOptions.DEFAULTS, world);
    Hold hold = holdfast.lock("a").acquire(WAIT);
    slow.mayLeave = new CountDownLatch(1);
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    world.start("releases", () -> outcome.complete(hold.release()));
    Await.until("the leave is under way", () -> slow.leaving.get() > 0);
    world.start("lets it go", slow.mayLeave::countDown);
    holdfast.close();
    assertThat(outcome.get()).isEqualTo(Outcome.RELEASED);
  }

  /** The real world, with its timers counted and its threads refused on request. */
  private static final class Earth implements World {
    private final World real = World.system();
    private final AtomicInteger timers = new AtomicInteger();
    private volatile int refuseThreads;

    @Override
    public long nanoTime() {
      return real.nanoTime();
    }

    @Override
    public long epochMicros() {
      return real.epochMicros();
    }

    @Override
    public Runnable schedule(long delayNanos, Runnable task) {
      AtomicInteger live = new AtomicInteger(timers.incrementAndGet());
      Runnable over =
          () -> {
            if (live.getAndSet(0) > 0) {
              timers.decrementAndGet();
            }
          };
      Runnable cancel =
          real.schedule(
              delayNanos,
              () -> {
                over.run();
                task.run();
              });
      return () -> {
        over.run();
        cancel.run();
      };
    }

    @Override
    public void park(Object blocker, long nanos) {
      real.park(blocker, nanos);
    }

    @Override
    public Executor callbacks() {
      return real.callbacks();
    }

    @Override
    public Thread start(String name, Runnable body) {
      if (refuseThreads > 0) {
        refuseThreads = 0;
        throw new IllegalStateException("unable to create a thread");
      }
      return real.start(name, body);
    }

    @Override
    public long secret() {
      return real.secret();
    }
  }

  /** The memory engine with the trait blocking, so that lanes drive it. */
  private static final class Slow implements LockEngine {
    private final LockEngine engine;
    private final AtomicInteger leaving = new AtomicInteger();
    private volatile CountDownLatch mayLeave = new CountDownLatch(0);

    Slow(LockEngine engine) {
      this.engine = engine;
    }

    @Override
    public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
      return engine.attempt(ticket, wake);
    }

    @Override
    public Renewal renew(Ticket ticket) throws EngineException {
      return engine.renew(ticket);
    }

    @Override
    public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
      leaving.incrementAndGet();
      try {
        mayLeave.await();
      } catch (InterruptedException e) {
        throw new EngineException.Unknown("interrupted", e);
      }
      return engine.leave(ticket, inDoubt);
    }

    @Override
    public boolean settle(Ticket ticket, Duration keep) throws EngineException {
      return engine.settle(ticket, keep);
    }

    @Override
    public boolean resize(Ticket ticket) throws EngineException {
      return engine.resize(ticket);
    }

    @Override
    public EngineTraits traits() {
      EngineTraits traits = engine.traits();
      return new EngineTraits(
          "slow:",
          traits.kinds(),
          traits.orders(),
          traits.guarantees(),
          /* blocking= */ true,
          2,
          16,
          traits.reserve(),
          traits.sessionLease());
    }

    @Override
    public void close() {
      engine.close();
    }
  }
}
