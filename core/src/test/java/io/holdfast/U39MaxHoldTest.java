package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U39. A hold with a maximum time ends then, and no other hold does. */
class U39MaxHoldTest {

  private static final Duration MOST = Duration.ofMinutes(10);

  private final HoldScene scene = new HoldScene(o -> o.withMaxHold(MOST));
  private final Logs quiet = new Logs();

  @AfterEach
  void listenAgain() {
    quiet.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void u39AHungOwnerIsNotRenewedForEver(Primitive primitive) throws Exception {
    try (Logs logs = new Logs()) {
      HoldHandle hold = scene.take(primitive, "a");
      List<Duration> reported = new ArrayList<>();
      hold.onLoss(loss -> reported.add(scene.world.elapsed()));
      scene.world.advance(MOST.minusNanos(1));
      assertThat(hold.isHeld()).isTrue();
      scene.world.advance(Duration.ofNanos(1));
      assertThat(hold.isHeld()).isFalse();
      assertThat(reported).containsExactly(MOST);
      assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.MAX_HOLD);
      // It may still be at work: rivals get in when its lease has ended in the store.
      assertThat(scene.engine.tickets("a")).hasSize(1);
      scene.world.advance(HoldScene.LEASE);
      assertThat(scene.engine.lines()).isEmpty();
      int renewals = scene.renewals();
      scene.world.advance(Duration.ofHours(1));
      assertThat(scene.renewals()).isEqualTo(renewals);
      assertThat(logs.with("held longer than maxHold"))
          .singleElement()
          .asString()
          .contains("WARNING", "a, acquired by thread " + Thread.currentThread().getName());
    }
  }

  @Test
  void aHoldThatIsReleasedInTimeLeavesNoTimer() throws Exception {
    scene.take("a").release();
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @Test
  void aHandedOverHoldHasItsOwnTime() throws Exception {
    HoldHandle first = scene.take("a");
    CompletableFuture<Hold> second = scene.lock("a").acquireAsync(Duration.ofHours(1));
    scene.world.advance(MOST.minusMillis(1));
    first.release();
    scene.world.runCallbacks();
    Hold got = second.get();
    scene.world.advance(MOST.minusMillis(1));
    assertThat(got.isHeld()).isTrue();
    scene.world.advance(Duration.ofMillis(1));
    assertThat(got.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.MAX_HOLD);
  }

  /**
   * The waiter has its hold before the line has reported it: a quick waiter has released it by
   * then, and times that count from its beginning must not begin after its end.
   */
  @Test
  void aHoldThatEndedBeforeItsTimeBeganDoesNotEndTheNextOne() throws Exception {
    HoldHandle first = scene.take("a");
    CompletableFuture<Hold> quick = scene.lock("a").acquireAsync(Duration.ofHours(1));
    CompletableFuture<Hold> next = scene.lock("a").acquireAsync(Duration.ofHours(1));
    var unused = quick.thenAccept(hold -> ((HoldHandle) hold).holdState().release(outcome -> {}));
    scene.world.advanceMillis(5);
    first.holdState().release(outcome -> scene.world.runCallbacks());
    scene.world.runCallbacks();
    assertThat(quick).isDone();
    Hold second = next.get();
    CompletableFuture<Hold> last = scene.lock("a").acquireAsync(Duration.ofHours(1));
    scene.world.advance(Duration.ofMinutes(1));
    second.release();
    scene.world.runCallbacks();
    try (Logs logs = new Logs()) {
      scene.world.advance(MOST.minusSeconds(1));
      assertThat(last.get().loss()).isEmpty();
      assertThat(last.get().isHeld()).isTrue();
      assertThat(logs.with("held longer than maxHold")).isEmpty();
    }
  }
}
