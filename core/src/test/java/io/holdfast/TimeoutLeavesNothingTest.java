package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.client.ClientView;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U04, U13. A caller returns at its time whatever the store does, and leaves nothing behind. */
@Timeout(60)
class TimeoutLeavesNothingTest {

  private static final Duration WAIT = Duration.ofMillis(700);

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u13WhileItsRequestHangsACallerReturnsExactlyAtItsTime(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = Gate.beforeEffect();
    Caller<Hold> caller = scene.hangingCaller(gate, () -> scene.door().acquire(WAIT));
    scene.world.advance(WAIT.minusNanos(1));
    assertThat(caller.isDone()).isFalse();
    scene.world.advance(Duration.ofNanos(1));
    assertThat(caller.failure()).isInstanceOf(OutcomeUnknownException.class);
    assertThat(caller.failure()).hasMessageContainingAll("\"door\"", "waited 700 ms", "1 attempts");
    gate.open();
    Await.until("it leaves", () -> scene.engine.count(ScriptedEngine.Kind.LEAVE) > 0);
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u13WhileItWaitsInLineACallerReturnsExactlyAtItsTime(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Hold rivals = scene.rivalsDoor().acquire(WAIT);
    Caller<Hold> caller = scene.waitingCaller(() -> scene.door().acquire(WAIT));
    scene.world.advance(WAIT.minusNanos(1));
    assertThat(caller.isDone()).isFalse();
    scene.world.advance(Duration.ofNanos(1));
    assertThat(caller.failure()).isInstanceOf(LockTimeoutException.class);
    Await.until("it left the line", () -> scene.engine.tickets(CallerScene.NAME).size() == 1);
    rivals.release();
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aTryThatMeetsAHungStoreIsBoundedByTheOperationTimeout(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = Gate.beforeEffect();
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, gate);
    Caller<Optional<Hold>> caller = Caller.start(() -> scene.door().tryAcquire());
    gate.awaitEntered();
    scene.world.awaitParked(caller.thread());
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(caller.failure()).isInstanceOf(OutcomeUnknownException.class);
    scene.world.advance(Duration.ofMillis(500));
    Await.until("it left", () -> scene.engine.count(ScriptedEngine.Kind.LEAVE) > 0);
    Thread late = scene.world.liveThreads().get(0);
    gate.open();
    Await.until("the late attempt is through", () -> !late.isAlive());
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aGrantThatCameBackTooLateIsGivenBack(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = Gate.afterEffect();
    Caller<Hold> caller = scene.hangingCaller(gate, () -> scene.door().acquire(WAIT));
    scene.world.advance(WAIT);
    assertThat(caller.failure()).isInstanceOf(OutcomeUnknownException.class);
    assertThat(scene.engine.tickets(CallerScene.NAME)).hasSize(1);
    gate.open();
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void anAttemptInDoubtIsAskedAgainAndGetsItsGrant(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.answerLost());
    Caller<Hold> caller = Caller.start(() -> scene.door().acquire(Duration.ofSeconds(5)));
    scene.world.creepUntil("it is in", caller::isDone);
    assertThat(caller.result().isHeld()).isTrue();
    assertThat(scene.engine.tickets(CallerScene.NAME)).hasSize(1);
    assertThat(caller.result().release()).isEqualTo(Outcome.RELEASED);
    scene.assertNothingIsLeft();
  }

  @Test
  void u13ATryWithNoWaitCostsOneRoundTrip() throws Exception {
    CallerScene scene = new CallerScene(Primitive.ANY);
    assertThat(scene.door().tryAcquire(Duration.ZERO)).isPresent();
    assertThat(scene.engine.count(ScriptedEngine.Kind.ATTEMPT)).isEqualTo(1);
    assertThat(scene.rivalsDoor().tryAcquire(Duration.ZERO)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"ANY", "FIFO"})
  void u13AnAcquireWithNoWaitCostsOneRoundTripToo(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Gate.beforeEffect());
    Caller<Hold> caller = Caller.start(() -> scene.door().acquire(Duration.ZERO));
    scene.world.awaitParkedOrDone(caller.thread());
    gate.open();
    assertThat(caller.result().isHeld()).isTrue();
    assertThat(caller.result().release()).isEqualTo(Outcome.RELEASED);
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"ANY", "FIFO"})
  void u34AWaitWhoseAttemptNeverLeftTheQueueIsNotInDoubt(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = Gate.beforeEffect();
    scene.engine.script(call -> call.name().equals("stuck"), gate, 1);
    ClientView view = scene.client.view(scene.client.options());
    var stuck = Primitive.FIFO.of(view, "stuck").acquireAsync(Duration.ofMinutes(1));
    gate.awaitEntered();
    Caller<Hold> caller = Caller.start(() -> scene.door().acquire(WAIT));
    scene.world.awaitParked(caller.thread());
    scene.world.advance(WAIT);
    assertThat(caller.failure()).isInstanceOf(StoreUnavailableException.class);
    gate.open();
    Await.until("the other goes on", () -> scene.world.runCallbacks() || stuck.isDone());
    stuck.get().release();
    assertThat(scene.engine.calls()).noneMatch(call -> call.name().equals(CallerScene.NAME));
  }
}
