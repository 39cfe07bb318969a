package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A suspended host: its wall clock ran on while its monotonic clock stood still. */
class SuspendedHostTest {

  private final HoldScene scene = new HoldScene();

  @Test
  void afterALongSleepNothingIsBelievedUntilARenewalHasSucceeded() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.world.stepWall(Duration.ofMinutes(5));
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.remaining()).isZero();
    scene.world.advance(Duration.ZERO);
    assertThat(scene.renewals()).isEqualTo(1);
    assertThat(hold.isHeld()).isTrue();
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void whileRenewalsFailItStaysUnbelievedAndIsLostAtItsDeadline() throws Exception {
    HoldHandle hold = scene.take("a");
    ScriptedEngine.Rule failing = scene.renewalsFail();
    scene.world.stepWall(Duration.ofMinutes(5));
    assertThat(hold.isHeld()).isFalse();
    scene.world.advance(Duration.ofSeconds(5));
    assertThat(scene.renewals()).isGreaterThan(1);
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss()).isEmpty();
    failing.end();
    scene.world.advance(Duration.ofSeconds(5));
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void ifTheLeaseEndedMeanwhileTheHolderLearnsItFromTheStore() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.inspector().evict(HoldScene.resource("a"), hold.token(), "it slept");
    scene.world.stepWall(Duration.ofMinutes(5));
    assertThat(hold.isHeld()).isFalse();
    scene.world.advance(Duration.ZERO);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.REVOKED);
  }

  @Test
  void aShortSleepTakesItsTimeFromWhatIsLeft() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.world.stepWall(Duration.ofSeconds(10));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusSeconds(10));
    scene.world.stepWall(Duration.ofMillis(18_400));
    assertThat(hold.isHeld()).isFalse();
  }

  @Test
  void aSleepOfAnyLengthTakesItsTimeFromWhatIsLeft() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.world.stepWall(Duration.ofMillis(1));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusMillis(1));
    scene.world.stepWall(Duration.ofMillis(799));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusMillis(800));
    scene.world.stepWall(Duration.ofMillis(1));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusMillis(801));
  }

  @Test
  void clocksThatDisagreeALittleAreNoReasonToRenewAtOnce() throws Exception {
    HoldHandle hold = scene.take("a");
    // Half of the slack that the deadline keeps: 5 % of 30 s and 100 ms.
    scene.world.stepWall(Duration.ofMillis(800));
    assertThat(hold.isHeld()).isTrue();
    scene.world.advance(Duration.ZERO);
    assertThat(scene.renewals()).isZero();
  }

  @Test
  void aHoldThatASuspensionHasLeftSomeTimeIsKeptThoughNobodyAsks() throws Exception {
    TestWorld world = new TestWorld().drive();
    // On another host, whose clock runs on.
    MemoryEngine store = MemoryEngine.create(() -> world.epochMicros() * 1000, world::epochMicros);
    try (Holdfast holdfast = Holdfast.open(store, HoldfastOptions.DEFAULTS, world)) {
      Hold hold = holdfast.lock("a").acquire();
      world.advance(Duration.ofSeconds(1));
      // 5 s of the lease are left; the regular renewal is due in 8 s at the earliest.
      world.stepWall(Duration.ofSeconds(24));
      world.advance(Duration.ofSeconds(12));
      assertThat(hold.loss()).isEmpty();
      assertThat(hold.isHeld()).isTrue();
    }
  }

  @Test
  void aSuspensionIsNoticedWithinTwoSeconds() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.world.advance(Duration.ofSeconds(1));
    scene.world.stepWall(Duration.ofMillis(801));
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(scene.renewals()).isEqualTo(1);
    assertThat(hold.isHeld()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {-500, 500, -9_000, 9_000})
  void aWallClockThatIsSlewedCausesNoRenewalAndCostsNoHold(long partsPerMillion) throws Exception {
    HoldScene steady = new HoldScene();
    HoldHandle usual = steady.take("a");
    HoldHandle hold = scene.take("a");
    for (int i = 0; i < 36_000; i++) {
      steady.world.advanceMillis(100);
      scene.world.stepWall(Duration.ofNanos(100 * partsPerMillion));
      scene.world.advanceMillis(100);
      assertThat(hold.isHeld()).isTrue();
    }
    assertThat(usual.isHeld()).isTrue();
    assertThat(scene.renewals()).as("in an hour").isEqualTo(steady.renewals());
  }

  @Test
  void aSlewedWallClockCostsNoMoreThanItsRateWhileTheStoreIsSilent() throws Exception {
    HoldHandle hold = scene.take("a");
    ScriptedEngine.Rule silent = scene.renewalsFail();
    Duration held = Duration.ofMillis(28_380);
    for (long i = 0; i < held.toMillis(); i += 10) {
      scene.world.stepWall(Duration.ofNanos(10 * 500));
      scene.world.advanceMillis(10);
    }
    // 0.05 % of 28.38 s are 14.19 ms, of the 20 ms that are left.
    assertThat(hold.remaining()).isEqualTo(Duration.ofNanos(20_000_000 - 14_190_000));
    silent.end();
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(hold.loss()).as("lost by its deadline and nothing else").isPresent();
  }

  @Test
  void aWallClockThatIsSetBackChangesNothing() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.world.stepWall(Duration.ofDays(-1));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
    scene.world.advance(Duration.ofMinutes(5));
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void aHoldWithAFixedLeaseThatSleptIsOver() throws Exception {
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    scene.world.stepWall(Duration.ofMinutes(5));
    assertThat(hold.isHeld()).isFalse();
    scene.world.advance(Duration.ofSeconds(5));
    assertThat(hold.isHeld()).isFalse();
    assertThat(scene.renewals()).isZero();
    scene.world.advance(HoldScene.LEASE);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.EXPIRED);
  }

  @Test
  void aSleepWhileAGrantIsOnItsWayTakesItsTimeFromWhatIsLeft() throws Exception {
    sleepsOnTheWay(ScriptedEngine.Kind.ATTEMPT, Duration.ofSeconds(10));
    HoldHandle hold = scene.take("a");
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusSeconds(10));
  }

  @Test
  void aRenewalOnWhoseWayTheHostSleptIsNotBelievedForLonger() throws Exception {
    HoldHandle hold = scene.take("a");
    sleepsOnTheWay(ScriptedEngine.Kind.RENEW, Duration.ofHours(1));
    ScriptedEngine.Rule failing = scene.renewalsFail();
    scene.world.advance(HoldScene.LEASE.dividedBy(3).plusSeconds(1));
    assertThat(scene.renewals()).isGreaterThan(1);
    assertThat(hold.isHeld()).as("the lease may be over").isFalse();
    failing.end();
    scene.world.advance(Duration.ofSeconds(5));
    assertThat(hold.isHeld()).as("a later renewal shows that it is not").isTrue();
  }

  @Test
  void aGrantOfWhichTheSleepLeftLittleIsAskedForAgainAndNotHandedOut() throws Exception {
    sleepsOnTheWay(ScriptedEngine.Kind.ATTEMPT, Duration.ofSeconds(27));
    HoldHandle hold = scene.take("a");
    assertThat(scene.engine.count(ScriptedEngine.Kind.ATTEMPT)).isEqualTo(2);
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void aGrantOnWhoseWayTheHostSleptIsRenewedAtOnce() throws Exception {
    sleepsOnTheWay(ScriptedEngine.Kind.ATTEMPT, Duration.ofSeconds(10));
    HoldHandle hold = scene.take("a");
    scene.world.advance(Duration.ZERO);
    assertThat(scene.renewals()).isEqualTo(1);
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void aRenewalDuringASuspensionIsRepeatedAtOnceWithoutACall() throws Exception {
    HoldHandle hold = scene.take("a");
    sleepsOnTheWay(ScriptedEngine.Kind.RENEW, Duration.ofHours(1));
    scene.world.advance(HoldScene.LEASE.dividedBy(3).plusSeconds(1));
    assertThat(scene.renewals()).isEqualTo(2);
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void aSleepBeforeAnExtensionThatKeepsTheOldEndIsNotForgotten() throws Exception {
    TestWorld world = new TestWorld().drive();
    // On another host, whose clock runs on.
    MemoryEngine store = MemoryEngine.create(() -> world.epochMicros() * 1000, world::epochMicros);
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withFixedLease(HoldScene.LEASE);
    try (Holdfast holdfast = Holdfast.open(store, options, world)) {
      Hold hold = holdfast.lock("a").acquire();
      world.stepWall(Duration.ofSeconds(10));
      Duration left = hold.extend(Duration.ofSeconds(5));
      // 20 s are left in the store: less 5 % of them and 100 ms.
      assertThat(left).isEqualTo(Duration.ofMillis(18_900));
      world.advance(left);
      assertThat(hold.isHeld()).isFalse();
    }
  }

  /** The store executes the verb, and the reply is read only when the host is awake again. */
  private void sleepsOnTheWay(ScriptedEngine.Kind kind, Duration time) {
    ScriptedEngine.Fault asleep =
        new ScriptedEngine.Fault() {
          @Override
          public void after() {
            scene.world.stepWall(time);
          }
        };
    scene.engine.script(call -> call.kind() == kind, asleep, 1);
  }
}
