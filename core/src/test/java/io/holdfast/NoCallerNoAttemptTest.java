package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client stops asking for a mutex as soon as none of its callers waits for it. */
class NoCallerNoAttemptTest {

  private final WayOutScene scene = new WayOutScene(Primitive.ANY);

  @BeforeEach
  void aRivalHoldsIt() throws Exception {
    scene.rivalTakes();
  }

  private long attempts() {
    return scene.lane.all().stream().filter(Verb.Attempt.class::isInstance).count();
  }

  private void assertNoRequests() {
    long asked = attempts();
    for (int i = 0; i < 20; i++) {
      scene.settle();
    }
    assertThat(attempts() - asked).as("attempts in 60 s without a caller").isZero();
    assertThat(scene.engine.tickets(WayOutScene.NAME)).as("only the rival's").hasSize(1);
    assertThat(scene.client.localLines().size()).isZero();
  }

  @Test
  void a_try_behind_a_waiter_that_timed_out_ends_the_asking() throws Exception {
    CompletableFuture<Hold> waiter = scene.door().acquireAsync(Duration.ofMillis(50));
    CompletableFuture<Hold> once = scene.door().acquireAsync(Duration.ZERO);
    scene.world.advanceMillis(60);
    assertThat(waiter).isCompletedExceptionally();
    assertThat(once).as("the store has said nothing yet").isNotDone();
    scene.lane.runDry();
    scene.world.runCallbacks();
    assertThat(once)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LockTimeoutException.class);
    assertNoRequests();
    scene.assertNothingIsLeft("after a try behind a waiter that timed out");
  }

  @Test
  void a_try_behind_a_waiter_that_was_cancelled_ends_the_asking() throws Exception {
    CompletableFuture<Hold> waiter = scene.door().acquireAsync(WayOutScene.WAIT);
    CompletableFuture<Hold> once = scene.door().acquireAsync(Duration.ZERO);
    waiter.cancel(true);
    scene.lane.runDry();
    scene.world.runCallbacks();
    assertThat(once).isCompletedExceptionally();
    assertNoRequests();
    scene.assertNothingIsLeft("after a try behind a waiter that was cancelled");
  }

  @Test
  void a_waiter_behind_both_is_asked_for() throws Exception {
    CompletableFuture<Hold> waiter = scene.door().acquireAsync(Duration.ofMillis(50));
    CompletableFuture<Hold> once = scene.door().acquireAsync(Duration.ZERO);
    CompletableFuture<Hold> last = scene.door().acquireAsync(WayOutScene.WAIT);
    scene.world.advanceMillis(60);
    scene.settle();
    assertThat(waiter).isCompletedExceptionally();
    assertThat(once).isCompletedExceptionally();
    assertThat(last).isNotDone();
    scene.rivals.release();
    scene.rivals = null;
    scene.settle();
    HoldHandle hold = (HoldHandle) last.join();
    assertThat(hold.isHeld()).isTrue();
    hold.holdState().release(outcome -> {});
    scene.assertNothingIsLeft("after the last one");
  }
}
