package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A store whose tickets live with a session, during an outage.
 *
 * <p>A store without a majority ends no session, and restarts all session timeouts when it is back.
 * So a ticket that its client had to give up during the outage is still there afterwards, however
 * long that took.
 */
@Timeout(60)
class SessionOutlivesOutageTest {

  private static final Duration OUTAGE = Duration.ofMinutes(10);
  private static final Duration BACK = Duration.ofSeconds(2);

  private final HoldScene scene = HoldScene.withLastingSessions();
  private final List<ScriptedEngine.Rule> outage = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void aHoldThatExpiredIsLeftAfterTheOutage(Primitive primitive) throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    storeIsUnreachable(Faults.down());
    scene.world.advance(OUTAGE);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.EXPIRED);
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
    assertThat(scene.engine.lines()).containsExactly("a");
    storeIsBack();
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void aReleaseWithoutAReplyIsDoneAfterTheOutage(Primitive primitive) throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    storeIsUnreachable(Faults.requestLost());
    assertThat(hold.release()).isEqualTo(Outcome.UNKNOWN);
    scene.world.advance(OUTAGE);
    storeIsBack();
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void anAttemptWhoseReplyGotLostIsLeftAfterTheOutage(Primitive primitive) {
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.answerLost());
    storeIsUnreachable(Faults.down());
    assertThatThrownBy(() -> primitive.of(scene.view(), "a").acquire(Duration.ofSeconds(1)))
        .isInstanceOf(HoldfastException.class);
    scene.world.advance(OUTAGE);
    assertThat(scene.engine.lines()).containsExactly("a");
    storeIsBack();
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @Test
  void whatNeverReachedTheStoreIsForgottenDuringTheOutage() {
    storeIsUnreachable(Faults.down());
    for (int i = 0; i < 20; i++) {
      String name = "a" + i;
      assertThatThrownBy(() -> scene.lock(name).acquire(Duration.ofSeconds(1)))
          .isInstanceOf(StoreUnavailableException.class);
    }
    scene.world.advance(OUTAGE);
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @Test
  void closingDuringTheOutageDoesNotWaitForItsEnd() throws Exception {
    scene.take("a");
    storeIsUnreachable(Faults.down());
    scene.world.advance(OUTAGE);
    Duration before = scene.world.elapsed();
    scene.client.close(Duration.ZERO);
    assertThat(scene.world.elapsed().minus(before))
        .isLessThanOrEqualTo(scene.client.options().operationTimeout());
    scene.world.advance(OUTAGE);
    assertThat(scene.world.pendingTimers()).isZero();
  }

  private void storeIsUnreachable(ScriptedEngine.Fault fault) {
    for (ScriptedEngine.Kind kind : ScriptedEngine.Kind.values()) {
      outage.add(scene.engine.always(kind, fault));
    }
  }

  private void storeIsBack() {
    outage.forEach(ScriptedEngine.Rule::end);
    scene.world.advance(BACK);
  }
}
