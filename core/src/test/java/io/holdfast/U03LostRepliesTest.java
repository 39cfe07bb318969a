package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U03. A verb that was executed twice because its reply got lost counts once. */
class U03LostRepliesTest {

  private final HoldScene scene = new HoldScene();

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void anAcquireWhoseRepliesWereLostIsHeldOnceAndOneReleaseFreesIt(Primitive primitive)
      throws Exception {
    for (int lost = 1; lost <= 5; lost++) {
      scene.engine.script(
          call -> call.kind() == ScriptedEngine.Kind.ATTEMPT, Faults.answerLost(), lost);
      Hold hold = primitive.of(scene.view(), "a").acquire(Duration.ofSeconds(10));
      assertThat(scene.engine.tickets("a")).hasSize(1);
      assertThat(scene.engine.tickets("a").get(0).token()).isEqualTo(hold.token());
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      assertThat(scene.engine.lines()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void anAcquireThatEndsInDoubtFreesTheNameAsSoonAsTheStoreReplies(Primitive primitive) {
    ScriptedEngine.Rule cutOff =
        scene.engine.script(call -> true, Faults.answerLost(), Integer.MAX_VALUE);
    assertThatThrownBy(() -> primitive.of(scene.view(), "a").acquire(Duration.ofSeconds(2)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(scene.client.renewals().size()).isZero();
    cutOff.end();
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.renewals()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void anAcquireThatEndsInDoubtWithTheStoreAwayIsFreeAfterOneLease(Primitive primitive)
      throws Exception {
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.answerLost());
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    assertThatThrownBy(() -> primitive.of(scene.view(), "a").acquire(Duration.ofSeconds(2)))
        .isInstanceOf(HoldfastException.class)
        .isNotInstanceOf(LockTimeoutException.class);
    assertThat(scene.engine.tickets("a")).hasSize(1);
    scene.world.advance(HoldScene.LEASE.minusSeconds(2));
    assertThat(primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aReleaseWhoseReplyWasLostIsRepeatedAndHarmsNoSuccessor(Primitive primitive)
      throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    scene.engine.next(ScriptedEngine.Kind.LEAVE, Faults.answerLost());
    assertThat(hold.release()).isEqualTo(Outcome.UNKNOWN);
    Hold rivals =
        primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(scene.engine.count(ScriptedEngine.Kind.LEAVE)).isEqualTo(2);
    assertThat(rivals.isHeld()).isTrue();
    assertThat(scene.engine.tickets("a")).hasSize(1);
    assertThat(rivals.release()).isEqualTo(Outcome.RELEASED);
  }

  @Test
  void aRefusalAfterAnAttemptInDoubtLeavesNothing() {
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.answerLost());
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.refused("no rights"));
    assertThatThrownBy(() -> scene.lock("a").acquire(Duration.ofSeconds(5)))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContainingAll("no rights", "\"a\"", "memory:");
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void anEngineThatBreaksAfterTheGrantIsAskedAgain() throws Exception {
    scene.engine.next(
        ScriptedEngine.Kind.ATTEMPT,
        Faults.whenDone(
            () -> {
              throw new IllegalStateException("driver bug");
            }));
    Hold hold = scene.lock("a").acquire(Duration.ofSeconds(5));
    assertThat(hold.isHeld()).isTrue();
    assertThat(scene.engine.tickets("a")).hasSize(1);
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    assertThat(scene.engine.lines()).isEmpty();
  }
}
