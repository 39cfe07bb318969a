package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U05, U09, U10. The effect and the outcome of a release, after which nothing is sent. */
@Timeout(60)
class ReleaseTest {

  private final HoldScene scene = new HoldScene();

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u10AReleaseSaysWhatBecameOfTheHold(Primitive primitive) throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    assertThat(hold.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    assertThat(hold.isHeld()).isFalse();
    assertThat(scene.engine.lines()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u10AReleaseAfterTheDeadlineIsALossAndTouchesNoOtherHolder(Primitive primitive)
      throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    scene.world.advance(HoldScene.LEASE);
    Hold rivals =
        primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
    assertThat(rivals.isHeld()).isTrue();
    assertThat(scene.engine.tickets("a").get(0).token()).isEqualTo(rivals.token());
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u10WhatTheStoreNoLongerKnewWasLostBeforeTheRelease(Primitive primitive) throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    scene.inspector().evict(HoldScene.resource("a"), hold.token(), "maintenance");
    Hold rivals =
        primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.TAKEN);
    assertThat(rivals.isHeld()).isTrue();
    assertThat(rivals.release()).isEqualTo(Outcome.RELEASED);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u10AReleaseWithoutAReplyIsOverForTheHolderAndContinuesInTheBackground(Primitive primitive)
      throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    ScriptedEngine.Rule down = scene.engine.always(ScriptedEngine.Kind.LEAVE, Faults.down());
    assertThat(hold.release()).isEqualTo(Outcome.UNKNOWN);
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    assertThat(scene.engine.tickets("a")).hasSize(1);
    down.end();
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(scene.engine.lines()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u05AfterAReleaseNoRenewalIsSentWhateverItsOutcomeWas(Primitive primitive) throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    scene.world.advance(Duration.ofSeconds(25));
    scene.engine.always(ScriptedEngine.Kind.LEAVE, Faults.down());
    hold.release();
    int renewals = scene.renewals();
    scene.world.advance(Duration.ofMinutes(10));
    assertThat(scene.renewals()).isEqualTo(renewals);
    assertThat(scene.client.renewals().size()).isZero();
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @Test
  void u05AClaimThatIsOverSendsNoRenewal() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.engine.always(ScriptedEngine.Kind.LEAVE, Faults.down());
    hold.release();
    scene.client.renewals().renewNow(hold.holdState().claim());
    scene.client.renewals().soon(hold.holdState().claim());
    scene.world.advance(Duration.ofMinutes(1));
    assertThat(scene.renewals()).isZero();
  }

  @Test
  void u05ARenewalUnderWayGetsItsReplyBeforeTheLeaveIsSent() throws Exception {
    WayOutScene scene = new WayOutScene(Primitive.FIFO);
    scene.ask();
    scene.lane.runDry();
    scene.world.runCallbacks();
    HoldHandle hold = (HoldHandle) scene.asked.get();
    scene.world.advanceUntil("a renewal", Duration.ofSeconds(12), scene.lane::hasQueued);
    Outcome[] outcome = new Outcome[1];
    hold.holdState().release(answer -> outcome[0] = answer);
    int sent = scene.lane.all().size();
    scene.lane.execute();
    assertThat(scene.lane.all()).hasSize(sent);
    scene.lane.answer();
    assertThat(scene.lane.all()).hasSize(sent + 1);
    scene.lane.runDry();
    assertThat(outcome[0]).isEqualTo(Outcome.RELEASED);
    scene.world.advance(Duration.ofMinutes(1));
    assertThat(scene.lane.hasQueued()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void u05TheNextHoldOfANameWhoseRenewalFailedIsRenewedAgain(Primitive primitive) throws Exception {
    HoldHandle first = scene.take(primitive, "a");
    ScriptedEngine.Rule failing = scene.renewalsFail();
    scene.world.advance(HoldScene.LEASE);
    assertThat(first.loss()).isPresent();
    failing.end();
    HoldHandle second = scene.take(primitive, "a");
    scene.world.advance(Duration.ofMinutes(10));
    assertThat(second.isHeld()).isTrue();
    assertThat(second.token()).isGreaterThan(first.token());
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void u09ALateRenewalNeitherStealsNorRecreates(Primitive primitive) throws Exception {
    HoldHandle hold = scene.take(primitive, "a");
    ScriptedEngine.Rule cutOff =
        scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    scene.world.pass(HoldScene.LEASE);
    DistributedLock rivals = primitive.of(scene.rival.view(scene.rival.options()), "a");
    rivals.tryAcquire().orElseThrow().release();
    cutOff.end();
    scene.client.renewals().renewNow(hold.holdState().claim());
    scene.world.advance(Duration.ofMinutes(1));
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss()).isPresent();
    assertThat(scene.events(HoldfastListener.Lost.class)).hasSize(1);
  }

  @Test
  void aReleaseKeepsTheInterruptFlagAndDoesNotReactToIt() throws Exception {
    HoldHandle hold = scene.take("a");
    Thread.currentThread().interrupt();
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aReleaseOverHungLanesIsBoundedByTheOperationTimeout() throws Exception {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Hold hold = holdfast.lock("a").acquire(Duration.ofSeconds(5));
    Gate gate = engine.next(ScriptedEngine.Kind.LEAVE, Gate.beforeEffect());
    Caller<Outcome> release = Caller.start(hold::release);
    gate.awaitEntered();
    world.awaitParked(release.thread());
    release.thread().interrupt();
    world.advance(Duration.ofMillis(2_500));
    assertThat(release.result()).isEqualTo(Outcome.UNKNOWN);
    assertThat(release.cameBackInterrupted()).isTrue();
    gate.open();
    world.creepUntil("it is freed", () -> engine.lines().isEmpty());
  }

  @Test
  void u08AnyThreadWithTheHandleCanReleaseTheHold() throws Exception {
    HoldHandle hold = scene.take("a");
    assertThat(Caller.start(hold::isHeld).result()).isTrue();
    assertThat(Caller.start(hold::release).result()).isEqualTo(Outcome.RELEASED);
    assertThat(scene.rivalsLock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u08TwoTasksThatShareAThreadDoNotEnterEachOthersLock(Primitive primitive) throws Exception {
    HoldHandle first = scene.take(primitive, "a");
    DistributedLock same = primitive.of(scene.view(), "a");
    assertThat(same.tryAcquire()).isEmpty();
    assertThat(same.tryAcquire(Duration.ofSeconds(1))).isEmpty();
    first.release();
    scene.world.advanceMillis(10);
    assertThat(same.tryAcquire()).isPresent();
  }
}
