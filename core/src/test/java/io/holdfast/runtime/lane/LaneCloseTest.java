package io.holdfast.runtime.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Await;
import io.holdfast.Caller;
import io.holdfast.Gate;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastClosedException;
import io.holdfast.HoldfastOptions;
import io.holdfast.RecordedAnswer;
import io.holdfast.ScriptedEngine;
import io.holdfast.TestWorld;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A closing lane completes every verb, closes its connection and ends its thread. */
@Timeout(60)
class LaneCloseTest {

  @Test
  void whatIsQueuedFailsAsNotDoneAndWhatIsUnderWayGetsItsReply() {
    LaneScene scene = new LaneScene();
    RecordedAnswer<Standing> underWay = new RecordedAnswer<>();
    Gate gate = scene.hang(underWay);
    List<RecordedAnswer<Standing>> queued = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      queued.add(scene.attempt("n" + i));
    }
    scene.lane.close();
    queued.forEach(noted -> assertThat(noted.get()).isInstanceOf(EngineException.NotDone.class));
    assertThat(underWay.isThere()).isFalse();
    gate.open();
    assertThat(underWay.get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.engine.count(ScriptedEngine.Kind.ATTEMPT)).isEqualTo(1);
    queued.forEach(noted -> assertThat(noted.times()).isEqualTo(1));
  }

  @Test
  void theConnectionIsClosedAndTheThreadEnds() {
    LaneScene scene = new LaneScene();
    scene.attempt("a").get();
    assertThat(scene.world.liveThreads()).hasSize(1);
    scene.lane.close();
    Await.until("no thread is left", () -> scene.world.liveThreads().isEmpty());
    assertThat(scene.engine.connectionsClosed()).isEqualTo(1);
  }

  @Test
  void aVerbThatComesAfterTheEndIsNotDone() {
    LaneScene scene = new LaneScene();
    scene.lane.close();
    scene.lane.close();
    assertThat(scene.attempt("a").get()).isInstanceOf(EngineException.NotDone.class);
    assertThat(scene.engine.calls()).isEmpty();
    assertThat(scene.world.liveThreads()).isEmpty();
  }

  @Test
  void aTripThatHangsWhileTheLaneClosesIsGivenUpInTime() {
    LaneScene scene = new LaneScene();
    RecordedAnswer<Standing> hung = new RecordedAnswer<>();
    Gate gate = scene.hang(hung);
    scene.lane.close();
    scene.timeOut();
    assertThat(hung.get()).isInstanceOf(EngineException.Unknown.class);
    assertThat(scene.engine.connectionsClosed()).isEqualTo(1);
    gate.open();
    Await.until("no thread is left", () -> scene.world.liveThreads().isEmpty());
    assertThat(scene.world.pendingTimers()).isZero();
  }

  @Test
  void aClosedClientHasNoThreadsConnectionsOrTimers() throws Exception {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).blocking(4, 100);
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    for (int i = 0; i < 40; i++) {
      holdfast.lock("n" + i).acquire(Duration.ofSeconds(5)).release();
    }
    Hold kept = holdfast.lock("kept").acquire(Duration.ofSeconds(5));
    assertThat(world.liveThreads()).hasSize(5);
    holdfast.close();
    Await.until("no thread is left", () -> world.liveThreads().isEmpty());
    assertThat(engine.connectionsOpened()).isEqualTo(5);
    assertThat(engine.connectionsClosed()).isEqualTo(5);
    assertThat(engine.isClosed()).isTrue();
    assertThat(kept.isHeld()).isFalse();
    assertThat(engine.lines()).isEmpty();
    world.advance(Duration.ofMinutes(1));
    assertThat(world.pendingTimers()).isZero();
  }

  @Test
  void callersOfAClosedLaneAreNotLeftWaiting() {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).blocking(1, 100);
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Gate gate = Gate.beforeEffect();
    engine.script(call -> call.name().equals("stuck"), gate, 1);
    Caller<Hold> stuck = Caller.start(() -> holdfast.lock("stuck").acquire());
    gate.awaitEntered();
    Caller<Hold> queued = Caller.start(() -> holdfast.lock("queued").acquire());
    world.awaitParked(queued.thread());
    Caller<Void> closer =
        Caller.start(
            () -> {
              holdfast.close();
              return null;
            });
    assertThat(stuck.failure()).isInstanceOf(HoldfastClosedException.class);
    assertThat(queued.failure()).isInstanceOf(HoldfastClosedException.class);
    world.creepUntil("it is closed", closer::isDone);
    gate.open();
    Await.until("no thread is left", () -> world.liveThreads().isEmpty());
  }
}
