package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U60. A callback that blocks holds up nothing but itself. */
@Timeout(60)
class U60CallbacksTest {

  private final TestWorld world = new TestWorld().callbacksOnThreads();
  private final CountDownLatch never = new CountDownLatch(1);

  /** Longer than the steps in which these tests move the time. */
  private static final HoldfastOptions PATIENT =
      HoldfastOptions.DEFAULTS.withOperationTimeout(Duration.ofSeconds(60));

  private void block() {
    try {
      assertThat(never.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * In steps shorter than the lane's timeout: its thread is real, and virtual time would outrun it.
   */
  private void passElevenSeconds() throws Exception {
    for (int second = 0; second < 11; second++) {
      world.advance(Duration.ofSeconds(1));
      Await.until("the lanes rest", this::lanesRest);
    }
  }

  private boolean lanesRest() {
    return world.liveThreads().stream()
        .filter(thread -> thread.getName().startsWith("holdfast-lane"))
        .allMatch(thread -> thread.getState() == Thread.State.WAITING);
  }

  @Test
  void callbacksThatBlockDisturbNeitherRenewalsNorOtherCallbacks() throws Exception {
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    Holdfast holdfast = Holdfast.open(engine, PATIENT, world);
    Hold kept = holdfast.lock("kept").acquire(Duration.ofSeconds(5));
    AtomicInteger blocked = new AtomicInteger();
    for (int i = 0; i < 20; i++) {
      Hold lost = holdfast.lock("lost" + i).acquire(Duration.ofSeconds(5));
      lost.onLoss(
          loss -> {
            blocked.incrementAndGet();
            block();
          });
      engine
          .inspector()
          .orElseThrow()
          .evict(HoldScene.resource("lost" + i), lost.token(), "to have a loss");
    }
    Hold late = holdfast.lock("late").acquire(Duration.ofSeconds(5));
    AtomicInteger reported = new AtomicInteger();
    late.onLoss(loss -> reported.incrementAndGet());
    for (int i = 0; i < 20; i++) {
      int before = engine.count(ScriptedEngine.Kind.RENEW);
      passElevenSeconds();
      world.creepUntil("renewals", () -> engine.count(ScriptedEngine.Kind.RENEW) > before);
      world.creepUntil("it is held", () -> kept.remaining().compareTo(Duration.ofSeconds(15)) > 0);
    }
    assertThat(blocked.get()).isEqualTo(20);
    engine.inspector().orElseThrow().evict(HoldScene.resource("late"), late.token(), "as well");
    passElevenSeconds();
    Await.until("the other callback runs", () -> reported.get() == 1);
    assertThat(holdfast.lock("new").acquire(Duration.ofSeconds(5)).isHeld()).isTrue();
    never.countDown();
  }

  @Test
  void theFutureOfAnAcquireCompletesWhereItMayBlock() throws Exception {
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    Holdfast holdfast = Holdfast.open(engine, PATIENT, world);
    CountDownLatch reached = new CountDownLatch(1);
    Hold first = holdfast.lock("a").acquire(Duration.ofSeconds(5));
    var unused =
        holdfast
            .lock("a")
            .acquireAsync(Duration.ofSeconds(5))
            .thenAccept(
                hold -> {
                  assertThat(Thread.currentThread().getName()).isEqualTo("callback");
                  reached.countDown();
                  block();
                });
    first.release();
    assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(holdfast.lock("b").acquire(Duration.ofSeconds(5)).release())
        .isEqualTo(Outcome.RELEASED);
    never.countDown();
  }
}
