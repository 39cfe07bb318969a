package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** U62. Extending changes the lease of a hold that is not renewed, and nothing else. */
class ExtendTest {

  private final HoldScene scene = new HoldScene();

  @Test
  void u62ExtendGivesAnotherLeaseFromNowAndReportsTheNewDeadline() throws Exception {
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    long token = hold.token();
    scene.world.advance(Duration.ofSeconds(20));
    assertThat(hold.extend(Duration.ofSeconds(60))).isEqualTo(Duration.ofMillis(56_900));
    assertThat(hold.remaining()).isEqualTo(Duration.ofMillis(56_900));
    assertThat(hold.token()).isEqualTo(token);
    assertThat(scene.engine.tickets("a")).hasSize(1);
    scene.world.advance(Duration.ofMillis(56_900).minusNanos(1));
    assertThat(hold.isHeld()).isTrue();
    scene.world.advance(Duration.ofNanos(1));
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.EXPIRED);
  }

  @Test
  void anExtensionNeverShortens() throws Exception {
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    assertThat(hold.extend(Duration.ofSeconds(4))).isEqualTo(HoldScene.BELIEVED);
    scene.world.advance(HoldScene.BELIEVED.minusNanos(1));
    assertThat(hold.isHeld()).isTrue();
    scene.world.advance(Duration.ofNanos(1));
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.EXPIRED);
  }

  @Test
  void aShorterExtensionWithoutAReplyCutsNothing() throws Exception {
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    scene.engine.next(ScriptedEngine.Kind.RENEW, Faults.answerLost());
    assertThatThrownBy(() -> hold.extend(Duration.ofSeconds(4)))
        .isInstanceOf(StoreUnavailableException.class);
    scene.world.advance(Duration.ofSeconds(20));
    assertThat(hold.isHeld()).isTrue();
    assertThat(scene.engine.tickets("a").get(0).leaseLeft()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void theLockDelayIsKeptInAnExtension() throws Exception {
    HoldScene delayed = new HoldScene(o -> o.withLockDelay(Duration.ofSeconds(10)));
    HoldHandle hold = delayed.take(Primitive.FIXED, "a");
    assertThat(hold.extend(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(27_900));
    assertThat(delayed.engine.tickets("a").get(0).leaseLeft()).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void aLeaseThatIsRenewedAnywayIsNotExtended() throws Exception {
    HoldHandle hold = scene.take("a");
    assertThatThrownBy(() -> hold.extend(Duration.ofSeconds(60)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("a", "only fixed leases are extended");
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void aLeaseOutOfBoundsIsRefusedBeforeTheStoreIsAsked() throws Exception {
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    assertThatThrownBy(() -> hold.extend(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lease=1 s");
    assertThat(scene.renewals()).isZero();
  }

  @Test
  void whenTheStoreDoesNotReplyTheOldLeaseStands() throws Exception {
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    scene.world.advance(Duration.ofSeconds(10));
    scene.engine.next(ScriptedEngine.Kind.RENEW, Faults.answerLost());
    assertThatThrownBy(() -> hold.extend(Duration.ofSeconds(60)))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContainingAll("a", "memory:", "the old lease stands")
        .cause()
        .hasMessage("connection reset");
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusSeconds(10));
  }

  @Test
  void anExtensionOfWhatIsGoneSaysThatItIsLost() throws Exception {
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    scene.inspector().evict(HoldScene.resource("a"), hold.token(), "maintenance");
    assertThatThrownBy(() -> hold.extend(Duration.ofSeconds(60)))
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("maintenance");
    assertThat(hold.isHeld()).isFalse();
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void aReleasedHoldIsNotExtended() throws Exception {
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    hold.release();
    assertThatThrownBy(() -> hold.extend(Duration.ofSeconds(60)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("hold was released: a");
  }
}
