package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U18. An operator takes away exactly the stated hold, and its holder gets the reason. */
class U18ForceReleaseTest {

  private static final Resource A = HoldScene.resource("a");

  private final HoldScene scene = new HoldScene();

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void aRevokedHolderGetsTheReasonWithinARenewalPeriodAndThenTheNextIsIn(Primitive primitive)
      throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    CompletableFuture<Hold> next =
        primitive
            .of(scene.rival.view(scene.rival.options()), "a")
            .acquireAsync(Duration.ofMinutes(5));
    List<Loss> reported = new ArrayList<>();
    hold.onLoss(reported::add);
    assertThat(scene.inspector().revoke(A, hold.token(), "deploy 7 needs it"))
        .isEqualTo(Verdict.DONE);
    assertThat(hold.isHeld()).isTrue();
    assertThat(next).isNotDone();
    scene.world.advance(Duration.ofSeconds(11));
    assertThat(reported).hasSize(1);
    assertThat(reported.get(0).cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(reported.get(0).reason()).contains("deploy 7 needs it");
    assertThat(next).isCompletedWithValueMatching(Hold::isHeld);
    assertThat(next.get().token()).isGreaterThan(hold.token());
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
    assertThat(next.get().isHeld()).isTrue();
  }

  @Test
  void aTokenThatIsNotCurrentTakesNothingAway() throws Exception {
    HoldHandle first = scene.take("a");
    first.release();
    HoldHandle second = scene.take("a");
    assertThat(scene.inspector().revoke(A, first.token(), "too late"))
        .isEqualTo(Verdict.NOT_CURRENT);
    assertThat(scene.inspector().evict(A, first.token(), "too late"))
        .isEqualTo(Verdict.NOT_CURRENT);
    scene.world.advance(Duration.ofMinutes(1));
    assertThat(second.isHeld()).isTrue();
  }

  @Test
  void aHandedOverHoldIsTakenAwayByAnyTokenOfItsGrant() throws Exception {
    HoldHandle first = scene.take("a");
    CompletableFuture<Hold> next = scene.lock("a").acquireAsync(Duration.ofMinutes(5));
    first.release();
    scene.world.runCallbacks();
    assertThat(scene.inspector().evict(A, first.token(), "stuck")).isEqualTo(Verdict.DONE);
    scene.world.advance(Duration.ofSeconds(11));
    assertThat(next.get().loss().orElseThrow().cause()).isEqualTo(Loss.Cause.REVOKED);
  }

  @Test
  void anEvictedHolderIsReplacedAtOnceAndOnlyTheTokenProtectsUntilItIsNotified() throws Exception {
    HoldHandle hold = scene.take("a");
    CompletableFuture<Hold> next = scene.rivalsLock("a").acquireAsync(Duration.ofMinutes(5));
    scene.inspector().evict(A, hold.token(), "host is dead");
    scene.world.advanceMillis(10);
    assertThat(next).isCompletedWithValueMatching(Hold::isHeld);
    assertThat(next.get().token()).isGreaterThan(hold.token());
    assertThat(hold.isHeld()).isTrue();
    scene.world.advance(Duration.ofSeconds(11));
    assertThat(hold.loss().orElseThrow().reason()).contains("host is dead");
  }

  @Test
  void aReasonMustBeGiven() throws Exception {
    HoldHandle hold = scene.take("a");
    assertThatThrownBy(() -> scene.inspector().revoke(A, hold.token(), " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(hold.isHeld()).isTrue();
  }
}
