package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U04. An interrupted caller returns at once, wherever it is, and leaves nothing behind. */
@Timeout(60)
class U04InterruptLeavesNothingTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void interruptedBeforeItAsksItAsksNothing(Primitive primitive) {
    CallerScene scene = new CallerScene(primitive);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> scene.door().acquire(LONG)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> scene.door().tryAcquire()).isInstanceOf(InterruptedException.class);
    assertThat(scene.engine.calls()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void interruptedWhileItsRequestHangsItGoesAtOnceAndTheLateGrantIsGivenBack(Primitive primitive)
      throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = Gate.beforeEffect();
    Caller<Hold> caller = scene.hangingCaller(gate, () -> scene.door().acquire(LONG));
    caller.thread().interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(caller.cameBackInterrupted()).isFalse();
    gate.open();
    Await.until(
        "the late grant was released", () -> scene.engine.count(ScriptedEngine.Kind.LEAVE) > 0);
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void interruptedWhileTheReplyHangsItEndsAtOnceAndTheGrantIsReleased(Primitive primitive)
      throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = Gate.afterEffect();
    Caller<Hold> caller = scene.hangingCaller(gate, () -> scene.door().acquire(LONG));
    assertThat(scene.engine.tickets(CallerScene.NAME)).hasSize(1);
    caller.thread().interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    gate.open();
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void interruptedInFrontOfAStoreThatNeverRepliesItLeavesInDoubt(Primitive primitive)
      throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = Gate.beforeEffect();
    Caller<Hold> caller = scene.hangingCaller(gate, () -> scene.door().acquire(LONG));
    caller.thread().interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    scene.world.advance(Duration.ofMillis(2_500));
    Await.until("it has left", () -> scene.engine.count(ScriptedEngine.Kind.LEAVE) == 1);
    assertThat(scene.engine.calls(ScriptedEngine.Kind.LEAVE).get(0).inDoubt()).isTrue();
    Thread late = scene.world.liveThreads().get(0);
    gate.open();
    Await.until("the late attempt is through", () -> !late.isAlive());
    // The leave was counted as it began: it may come to its end after the late attempt.
    Await.until("it is out", () -> scene.engine.tickets(CallerScene.NAME).isEmpty());
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void interruptedWhileItWaitsInLineItLeavesTheLine(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Hold rivals = scene.rivalsDoor().acquire(LONG);
    Caller<Hold> caller = scene.waitingCaller(() -> scene.door().acquire(LONG));
    caller.thread().interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    Await.until("it left the line", () -> scene.engine.tickets(CallerScene.NAME).size() == 1);
    rivals.release();
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void anInterruptedWaiterDoesNotCostTheNextItsTurn(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Hold rivals = scene.rivalsDoor().acquire(LONG);
    Caller<Hold> gone = scene.waitingCaller(() -> scene.door().acquire(LONG));
    Caller<Hold> next = Caller.start(() -> scene.door().acquire(LONG));
    scene.world.awaitParked(next.thread());
    gone.thread().interrupt();
    assertThat(gone.failure()).isInstanceOf(InterruptedException.class);
    rivals.release();
    scene.world.creepUntil("the next is in", next::isDone);
    assertThat(next.result().release()).isEqualTo(Outcome.RELEASED);
    scene.assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void interruptedAtTheMomentOfTheGrantItHasTheHoldOrNothingIsLeft(Primitive primitive)
      throws Exception {
    CallerScene scene = new CallerScene(primitive);
    int got = 0;
    for (int i = 0; i < 100; i++) {
      Thread[] asking = new Thread[1];
      scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.whenDone(() -> asking[0].interrupt()));
      Caller<Hold> caller =
          Caller.start(
              () -> {
                asking[0] = Thread.currentThread();
                return scene.door().acquire(LONG);
              });
      if (caller.failure() == null) {
        got++;
        assertThat(caller.cameBackInterrupted()).isTrue();
        assertThat(caller.result().isHeld()).isTrue();
        assertThat(caller.result().release()).isEqualTo(Outcome.RELEASED);
      } else {
        assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
      }
      scene.assertNothingIsLeft();
    }
    System.out.println(primitive + ": interrupts at the grant, 100; holds all the same, " + got);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aLeaveWithoutAReplyIsRepeatedUntilThereIsOne(Primitive primitive) throws Exception {
    CallerScene scene = new CallerScene(primitive);
    Gate gate = Gate.afterEffect();
    Caller<Hold> caller = scene.hangingCaller(gate, () -> scene.door().acquire(LONG));
    scene.engine.next(ScriptedEngine.Kind.LEAVE, Faults.requestLost());
    scene.engine.next(ScriptedEngine.Kind.LEAVE, Faults.down());
    Gate hung = scene.engine.next(ScriptedEngine.Kind.LEAVE, Gate.beforeEffect());
    caller.thread().interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    gate.open();
    scene.world.creepUntil(
        "the third leave hangs", () -> scene.engine.count(ScriptedEngine.Kind.LEAVE) == 3);
    hung.awaitEntered();
    assertThat(scene.engine.tickets(CallerScene.NAME)).hasSize(1);
    scene.world.advance(Duration.ofMillis(2_500));
    scene.assertNothingIsLeft();
    hung.open();
  }
}
