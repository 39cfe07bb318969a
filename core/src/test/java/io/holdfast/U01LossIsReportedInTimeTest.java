package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U01. A holder learns of its loss exactly once, at its deadline, before a rival can be in. */
@Timeout(60)
class U01LossIsReportedInTimeTest {

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void theLossIsReportedExactlyAtTheDeadlineAndExactlyOnce(Primitive primitive) throws Exception {
    HoldScene scene = new HoldScene();
    scene.renewalsFail();
    HoldHandle hold = scene.take(primitive, "a");
    List<Duration> reported = new ArrayList<>();
    hold.onLoss(loss -> reported.add(scene.world.elapsed()));
    scene.world.advance(HoldScene.BELIEVED.minusNanos(1));
    assertThat(reported).isEmpty();
    scene.world.advance(Duration.ofMinutes(3));
    assertThat(reported).containsExactly(HoldScene.BELIEVED);
    Loss loss = hold.loss().orElseThrow();
    assertThat(loss.cause()).isEqualTo(Loss.Cause.EXPIRED);
    assertThat(loss.name()).isEqualTo("a");
    assertThat(loss.token()).isEqualTo(hold.token());
    assertThat(loss.reason()).contains("no renewal was confirmed in time", "a at memory:");
    assertThat(scene.events(HoldfastListener.Lost.class))
        .containsExactly(
            new HoldfastListener.Lost(
                "untagged", primitive.kind(), Loss.Cause.EXPIRED, HoldScene.BELIEVED));
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aWaitingRivalIsGrantedOnlyAfterTheHolderWasNotified(Primitive primitive) throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take(primitive, "a");
    // The holder is cut off: neither renewing nor leaving reaches the store.
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    List<Duration> reported = new ArrayList<>();
    hold.onLoss(loss -> reported.add(scene.world.elapsed()));
    List<Duration> granted = new ArrayList<>();
    CompletableFuture<Hold> rivals =
        primitive
            .of(scene.rival.view(scene.rival.options()), "a")
            .acquireAsync(Duration.ofMinutes(2));
    var unused =
        rivals.thenAccept(
            got -> {
              assertThat(hold.isHeld()).isFalse();
              granted.add(scene.world.elapsed());
            });
    for (int i = 0; i < 40_000 && granted.isEmpty(); i++) {
      scene.world.advanceMillis(1);
      assertThat(hold.isHeld() && rivals.isDone()).isFalse();
    }
    assertThat(reported).containsExactly(HoldScene.BELIEVED);
    assertThat(granted.get(0)).isBetween(HoldScene.LEASE, HoldScene.LEASE.plusMillis(1));
    assertThat(rivals.get().token()).isGreaterThan(hold.token());
  }

  @Test
  void theReasonSaysWhatTheLastRenewalFailedWith() throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take("a");
    scene.engine.always(ScriptedEngine.Kind.RENEW, Faults.refused("no rights any more"));
    scene.world.advance(HoldScene.BELIEVED);
    Loss loss = hold.loss().orElseThrow();
    assertThat(loss.cause()).isEqualTo(Loss.Cause.EXPIRED);
    assertThat(loss.reason())
        .contains("no renewal was confirmed in time: ", "no rights any more", "a at memory:");
  }

  @Test
  void aHolderThatIsPausedPastItsDeadlineBelievesNothingWhenItWakes() throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take("a");
    // The process is stopped: time passes, and no timer of it runs.
    scene.world.pass(HoldScene.BELIEVED);
    assertThat(hold.loss()).isEmpty();
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.remaining()).isZero();
    assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
    scene.world.advance(Duration.ZERO);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.EXPIRED);
  }

  @Test
  void aLateLossListenerIsCalledAtOnceAndOnce() throws Exception {
    HoldScene scene = new HoldScene();
    scene.renewalsFail();
    HoldHandle hold = scene.take("a");
    scene.world.advance(HoldScene.BELIEVED);
    List<Loss> reported = new ArrayList<>();
    hold.onLoss(reported::add);
    scene.world.runCallbacks();
    assertThat(reported).containsExactly(hold.loss().orElseThrow());
    scene.world.advance(Duration.ofMinutes(1));
    assertThat(reported).hasSize(1);
  }

  @Test
  void everyListenerOfAHoldIsCalledThoughOneThrows() throws Exception {
    HoldScene scene = new HoldScene();
    scene.renewalsFail();
    HoldHandle hold = scene.take("a");
    List<String> reported = new ArrayList<>();
    hold.onLoss(
        loss -> {
          throw new IllegalStateException("a bad listener");
        });
    hold.onLoss(loss -> reported.add("second"));
    try (Logs logs = new Logs()) {
      scene.world.advance(HoldScene.BELIEVED);
      assertThat(logs.with("a callback failed")).hasSize(1);
    }
    assertThat(reported).containsExactly("second");
  }

  @Test
  void aHoldThatWasReleasedIsNeverLost() throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take("a");
    List<Loss> reported = new ArrayList<>();
    hold.onLoss(reported::add);
    hold.release();
    scene.world.advance(Duration.ofMinutes(5));
    hold.onLoss(reported::add);
    scene.world.runCallbacks();
    assertThat(reported).isEmpty();
    assertThat(hold.loss()).isEmpty();
  }

  @Test
  void aHoldThatWasLostKeepsItsLockDelayInTheStore() throws Exception {
    HoldScene scene = new HoldScene(o -> o.withLockDelay(Duration.ofSeconds(60)));
    HoldHandle hold = scene.take("a");
    scene.renewalsFail();
    scene.world.advanceUntil("the loss", HoldScene.LEASE, () -> hold.loss().isPresent());
    scene.world.advance(Duration.ofSeconds(90).minus(scene.world.elapsed()).minusNanos(1));
    assertThat(scene.engine.tickets("a")).hasSize(1);
    scene.world.advance(Duration.ofNanos(1));
    assertThat(scene.engine.lines()).isEmpty();
    scene.world.advance(Duration.ofMinutes(5));
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @Test
  void aRenewalThatArrivesAfterTheLossRevivesNothingForLong() throws Exception {
    WayOutScene scene = new WayOutScene(Primitive.FIFO);
    scene.ask();
    scene.lane.runDry();
    scene.world.runCallbacks();
    Hold hold = scene.asked.get();
    scene.world.advanceUntil("a renewal", Duration.ofSeconds(12), scene.lane::hasQueued);
    scene.world.advanceUntil("the loss", HoldScene.LEASE, () -> hold.loss().isPresent());
    // The renewal reaches the store just before the lease ends, and begins another lease.
    scene.lane.execute();
    scene.lane.answer();
    scene.settle();
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(hold.isHeld()).isFalse();
  }
}
