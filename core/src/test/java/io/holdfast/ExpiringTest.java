package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The warning before a loss: it is called when renewals fail, and only then. */
class ExpiringTest {

  private static final Duration LEAD = Duration.ofSeconds(5);

  private final HoldScene scene = new HoldScene();
  private final List<Duration> warned = new ArrayList<>();

  private void warn() {
    warned.add(scene.world.elapsed());
  }

  @Test
  void theWarningComesTheLeadBeforeTheDeadlineAndOnce() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.renewalsFail();
    hold.onExpiring(LEAD, this::warn);
    scene.world.advance(Duration.ofMinutes(2));
    assertThat(warned).containsExactly(HoldScene.BELIEVED.minus(LEAD));
  }

  @Test
  void aHoldThatIsRenewedIsNotWarned() throws Exception {
    HoldHandle hold = scene.take("a");
    hold.onExpiring(LEAD, this::warn);
    scene.world.advance(Duration.ofHours(1));
    assertThat(warned).isEmpty();
    scene.renewalsFail();
    scene.world.advanceUntil("the loss", HoldScene.LEASE, () -> hold.loss().isPresent());
    assertThat(warned).containsExactly(scene.world.elapsed().minus(LEAD));
  }

  @Test
  void theWarningComesAtOnceWhenTheEndIsThatNear() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.renewalsFail();
    scene.world.advance(Duration.ofSeconds(25));
    hold.onExpiring(LEAD, this::warn);
    assertThat(warned).isEmpty();
    scene.world.runCallbacks();
    assertThat(warned).hasSize(1);
  }

  @Test
  void aHoldThatIsOverIsNotWarned() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.renewalsFail();
    hold.onExpiring(LEAD, this::warn);
    hold.release();
    hold.onExpiring(LEAD, this::warn);
    scene.world.advance(Duration.ofMinutes(2));
    assertThat(warned).isEmpty();
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @Test
  void theLeadIsPositiveAndAtMostHalfOfTheLease() throws Exception {
    HoldHandle hold = scene.take("a");
    Duration half = HoldScene.LEASE.dividedBy(2);
    for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1), half.plusNanos(1))) {
      assertThatThrownBy(() -> hold.onExpiring(bad, this::warn))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("lead", DurationText.of(bad));
    }
    hold.onExpiring(half, this::warn);
    scene.renewalsFail();
    scene.world.advance(HoldScene.LEASE);
    assertThat(warned).containsExactly(HoldScene.BELIEVED.minus(half));
  }
}
