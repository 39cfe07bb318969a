package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An uncontended acquire and release must not cost a timer. */
class TimerCostTest {

  private static final Duration STEP = Duration.ofNanos(500_000);
  private static final int STEPS = 10_000;

  private final HoldScene scene = new HoldScene();

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aLoopOfAcquiresAndReleasesSetsAtMostOneTimerInAQuarterOfASecond(Primitive primitive)
      throws Exception {
    DistributedLock lock = primitive.of(scene.view(), "a");
    int before = scene.world.schedules();
    for (int i = 0; i < STEPS; i++) {
      lock.tryAcquire().orElseThrow().release();
      scene.world.advance(STEP);
    }
    long quarters = STEP.multipliedBy(STEPS).toMillis() / 250;
    assertThat(scene.world.schedules() - before).isLessThanOrEqualTo((int) quarters + 1);
  }

  @Test
  void nextToALongHoldItIsAtMostTwo() throws Exception {
    HoldHandle kept = scene.take("kept");
    DistributedLock lock = scene.lock("a");
    int before = scene.world.schedules();
    for (int i = 0; i < STEPS; i++) {
      lock.tryAcquire().orElseThrow().release();
      scene.world.advance(STEP);
    }
    long quarters = STEP.multipliedBy(STEPS).toMillis() / 250;
    assertThat(scene.world.schedules() - before).isLessThanOrEqualTo(2 * (int) quarters + 4);
    kept.release();
  }

  @Test
  void aClientThatHoldsNothingHasNoTimer() throws Exception {
    scene.take("a").release();
    scene.world.advance(Duration.ofSeconds(1));
    int before = scene.world.schedules();
    scene.world.advance(Duration.ofHours(1));
    assertThat(scene.world.pendingTimers()).isZero();
    assertThat(scene.world.schedules()).isEqualTo(before);
  }

  @Test
  void aThousandHoldsAreRenewedWithFewTimers() throws Exception {
    List<Hold> kept = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      kept.add(scene.take("n" + i));
    }
    scene.world.advance(Duration.ofSeconds(1));
    int before = scene.world.schedules();
    scene.world.advance(Duration.ofMinutes(10));
    assertThat(scene.renewals()).isGreaterThan(50_000);
    assertThat(scene.world.schedules() - before).isLessThan(1_000);
    assertThat(kept).allMatch(Hold::isHeld);
  }
}
