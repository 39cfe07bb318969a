package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A host that slept has a wall clock that ran on and a monotonic one that stood still. */
class SuspendedHostTest {

  private final HoldScene scene = new HoldScene();

  @Test
  void afterALongSleepNothingIsBelievedUntilARenewalHasSucceeded() throws Exception {
    HeldLock hold = scene.take("a");
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
    HeldLock hold = scene.take("a");
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
    HeldLock hold = scene.take("a");
    scene.inspector().evict(HoldScene.resource("a"), hold.token(), "it slept");
    scene.world.stepWall(Duration.ofMinutes(5));
    assertThat(hold.isHeld()).isFalse();
    scene.world.advance(Duration.ZERO);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.REVOKED);
  }

  @Test
  void aShortSleepTakesItsTimeFromWhatIsLeft() throws Exception {
    HeldLock hold = scene.take("a");
    scene.world.stepWall(Duration.ofSeconds(10));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusSeconds(10));
    scene.world.stepWall(Duration.ofMillis(18_400));
    assertThat(hold.isHeld()).isFalse();
  }

  @Test
  void clocksThatDisagreeALittleAreNoReasonForDoubt() throws Exception {
    HeldLock hold = scene.take("a");
    // Half of the slack that the deadline keeps: 5 % of 30 s and 100 ms.
    scene.world.stepWall(Duration.ofMillis(800));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
    scene.world.stepWall(Duration.ofMillis(1));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusMillis(801));
  }

  @Test
  void aWallClockThatIsSetBackChangesNothing() throws Exception {
    HeldLock hold = scene.take("a");
    scene.world.stepWall(Duration.ofDays(-1));
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
    scene.world.advance(Duration.ofMinutes(5));
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void aHoldWithAFixedLeaseThatSleptIsOver() throws Exception {
    HeldLock hold = scene.take(Primitive.FIXED, "a");
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
    HeldLock hold = scene.take("a");
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusSeconds(10));
  }

  @Test
  void aRenewalOnWhoseWayTheHostSleptIsNotBelievedForLonger() throws Exception {
    HeldLock hold = scene.take("a");
    sleepsOnTheWay(ScriptedEngine.Kind.RENEW, Duration.ofHours(1));
    ScriptedEngine.Rule failing = scene.renewalsFail();
    scene.world.advance(HoldScene.LEASE.dividedBy(3).plusSeconds(1));
    assertThat(scene.renewals()).isGreaterThan(1);
    assertThat(hold.isHeld()).as("the lease may be over").isFalse();
    failing.end();
    scene.world.advance(Duration.ofSeconds(5));
    assertThat(hold.isHeld()).as("one that was sent since says that it is not").isTrue();
  }

  @Test
  void aGrantOfWhichTheSleepLeftLittleIsAskedForAgainAndNotHandedOut() throws Exception {
    sleepsOnTheWay(ScriptedEngine.Kind.ATTEMPT, Duration.ofSeconds(27));
    HeldLock hold = scene.take("a");
    assertThat(scene.engine.count(ScriptedEngine.Kind.ATTEMPT)).isEqualTo(2);
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void aGrantOnWhoseWayTheHostSleptIsRenewedAtOnce() throws Exception {
    sleepsOnTheWay(ScriptedEngine.Kind.ATTEMPT, Duration.ofSeconds(10));
    HeldLock hold = scene.take("a");
    scene.world.advance(Duration.ZERO);
    assertThat(scene.renewals()).isEqualTo(1);
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void aRenewalOnWhoseWayTheHostSleptIsRepeatedAtOnceThoughNobodyAsks() throws Exception {
    HeldLock hold = scene.take("a");
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

  /** The store does it, and the answer is heard only when the host is awake again. */
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
