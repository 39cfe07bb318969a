package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a holder believes: from the time of sending, less the drift and the margin. */
class DeadlineTest {

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aHolderBelievesTheLeaseLessFivePercentAndAHundredMilliseconds(Primitive primitive)
      throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take(primitive, "a");
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
    scene.world.advance(Duration.ofMillis(1_234));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusMillis(1_234));
  }

  @Test
  void beliefEndsAtTheNanosecondOfTheDeadline() throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take("a");
    scene.renewalsFail();
    scene.world.advance(HoldScene.BELIEVED.minusNanos(1));
    assertThat(hold.isHeld()).isTrue();
    assertThat(hold.remaining()).isEqualTo(Duration.ofNanos(1));
    scene.world.advance(Duration.ofNanos(1));
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.remaining()).isZero();
  }

  @Test
  void driftAndMarginAreTheOptions() throws Exception {
    HoldScene scene =
        new HoldScene(o -> o.withLease(Duration.ofSeconds(10)).withMargin(Duration.ofMillis(250)));
    assertThat(scene.take("a").remaining()).isEqualTo(Duration.ofMillis(9_250));
    HoldScene strict = new HoldScene(HoldfastOptions::strict);
    assertThat(strict.take("a").remaining()).isEqualTo(Duration.ofMillis(26_900));
  }

  @Test
  void withALockDelayTheStoreKeepsItLongerAndTheHolderTakesTheDriftOfAllOfIt() throws Exception {
    HoldScene scene = new HoldScene(o -> o.withLockDelay(Duration.ofSeconds(10)));
    HoldHandle hold = scene.take("a");
    assertThat(scene.engine.tickets("a").get(0).leaseLeft()).isEqualTo(Duration.ofSeconds(40));
    assertThat(hold.remaining()).isEqualTo(Duration.ofMillis(27_900));
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    assertThat(scene.rivalsLock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void theTimeThatTheReplyTookIsSubtracted(Primitive primitive) throws Exception {
    WayOutScene scene = new WayOutScene(primitive);
    scene.ask();
    scene.world.advance(Duration.ofSeconds(1));
    scene.lane.execute();
    scene.world.advance(Duration.ofMillis(1_500));
    scene.lane.answer();
    scene.world.runCallbacks();
    assertThat(scene.asked.get().remaining()).isEqualTo(HoldScene.BELIEVED.minusMillis(2_500));
  }

  @Test
  void aRenewalCountsFromItsSendingToo() throws Exception {
    WayOutScene scene = new WayOutScene(Primitive.FIFO);
    scene.ask();
    scene.lane.runDry();
    scene.world.runCallbacks();
    Hold hold = scene.asked.get();
    scene.world.advanceUntil("a renewal", Duration.ofSeconds(12), scene.lane::hasQueued);
    Duration sentAt = scene.world.elapsed();
    Duration before = hold.remaining();
    scene.world.advance(Duration.ofSeconds(1));
    scene.lane.execute();
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(hold.remaining()).isEqualTo(before.minusSeconds(3));
    scene.lane.answer();
    assertThat(scene.world.elapsed().minus(sentAt)).isEqualTo(Duration.ofSeconds(3));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusSeconds(3));
  }

  @Test
  void aGrantThatIsNearlyOverWhenItsReplyArrivesIsRequestedAgain() throws Exception {
    WayOutScene scene = new WayOutScene(Primitive.FIFO);
    CompletableFuture<Hold> asked = scene.door().acquireAsync(Duration.ofMinutes(1));
    scene.lane.execute();
    scene.world.advance(Duration.ofMillis(25_401));
    scene.lane.answer();
    scene.world.runCallbacks();
    assertThat(asked).isNotDone();
    scene.lane.runDry();
    scene.world.runCallbacks();
    assertThat(asked.get().remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void aGrantWithATenthOfItsLeaseLeftIsGoodEnough() throws Exception {
    WayOutScene scene = new WayOutScene(Primitive.FIFO);
    CompletableFuture<Hold> asked = scene.door().acquireAsync(Duration.ofMinutes(1));
    scene.lane.execute();
    scene.world.advance(Duration.ofMillis(25_400));
    scene.lane.answer();
    scene.world.runCallbacks();
    assertThat(asked.get().remaining()).isEqualTo(Duration.ofSeconds(3));
  }
}
