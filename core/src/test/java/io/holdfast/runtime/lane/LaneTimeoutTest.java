package io.holdfast.runtime.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Await;
import io.holdfast.Gate;
import io.holdfast.RecordedAnswer;
import io.holdfast.ScriptedEngine;
import io.holdfast.Tickets;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A trip that takes too long is in doubt; the lane goes on over a new connection. */
@Timeout(60)
class LaneTimeoutTest {

  private final LaneScene scene = new LaneScene();

  @Test
  void aTripIsGivenUpAfterTheOperationTimeoutAndNotBefore() {
    RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    scene.hang(noted);
    scene.world.advance(LaneScene.TIMEOUT.minusNanos(1));
    assertThat(noted.isThere()).isFalse();
    scene.world.advance(LaneScene.TIMEOUT.dividedBy(4));
    assertThat(noted.get()).isInstanceOf(EngineException.Unknown.class);
    assertThat(((Exception) noted.get()).getMessage()).contains("scripted:", "operation timeout");
  }

  @Test
  void theConnectionIsClosedUnderTheHungTripAndTheReplacementIsReported() {
    scene.hang(new RecordedAnswer<>());
    scene.timeOut();
    assertThat(scene.engine.connectionsClosed()).isEqualTo(1);
    assertThat(scene.replaced).containsExactly("lane");
  }

  @Test
  void whatQueuedBehindAHungTripGoesOnOverANewConnection() {
    scene.hang(new RecordedAnswer<>());
    RecordedAnswer<Standing> behind = scene.attempt("behind");
    scene.timeOut();
    assertThat(behind.get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.engine.connectionsOpened()).isEqualTo(2);
    assertThat(scene.attempt("later").get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.engine.connectionsOpened()).isEqualTo(2);
  }

  @Test
  void aLateReplyChangesNothing() {
    RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    Gate gate = scene.hang(Gate.afterEffect(), noted);
    scene.timeOut();
    List<Thread> both = scene.world.liveThreads();
    gate.open();
    Await.until("the late thread is gone", () -> !both.get(0).isAlive());
    assertThat(noted.times()).isEqualTo(1);
    assertThat(noted.get()).isInstanceOf(EngineException.Unknown.class);
    assertThat(scene.attempt("later").get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.replaced).hasSize(1);
  }

  @Test
  void aCrewThatComesBackLateTakesNothingFromTheQueueOfItsSuccessor() {
    Gate first = scene.hang(new RecordedAnswer<>());
    Gate second = Gate.beforeEffect();
    scene.engine.script(call -> call.name().equals("second"), second, 1);
    scene.timeOut();
    RecordedAnswer<Standing> hung = scene.attempt("second");
    second.awaitEntered();
    RecordedAnswer<Standing> queued = scene.attempt("queued");
    first.open();
    Await.until("the first crew is gone", () -> scene.world.liveThreads().size() == 1);
    assertThat(queued.isThere()).isFalse();
    assertThat(scene.lane.queued()).isEqualTo(1);
    second.open();
    assertThat(queued.get()).isInstanceOf(Standing.Granted.class);
    assertThat(hung.get()).isInstanceOf(Standing.Granted.class);
  }

  @Test
  void aConnectionThatIsNotMadeInTimeIsGivenUpToo() {
    Gate gate = scene.engine.next(ScriptedEngine.Kind.CONNECT, Gate.beforeEffect());
    RecordedAnswer<Standing> noted = scene.attempt("a");
    gate.awaitEntered();
    RecordedAnswer<Standing> behind = scene.attempt("b");
    scene.timeOut();
    assertThat(noted.get()).isInstanceOf(EngineException.class);
    assertThat(behind.get()).isInstanceOf(Standing.Granted.class);
    gate.open();
  }

  @Test
  void aCrewThatConnectsAfterItWasDismissedSendsNothingAndClosesWhatItOpened() {
    Gate gate = scene.engine.next(ScriptedEngine.Kind.CONNECT, Gate.beforeEffect());
    RecordedAnswer<Standing> noted = scene.attempt("a");
    gate.awaitEntered();
    scene.timeOut();
    Thread late = scene.world.liveThreads().get(0);
    gate.open();
    Await.until("the late crew is gone", () -> !late.isAlive());
    assertThat(scene.engine.batches()).isEmpty();
    assertThat(scene.engine.count(ScriptedEngine.Kind.ATTEMPT)).isZero();
    assertThat(scene.engine.connectionsClosed()).isEqualTo(scene.engine.connectionsOpened());
    assertThat(noted.times()).isEqualTo(1);
  }

  @Test
  void eachTripHasTheWholeTimeForItself() {
    for (int i = 0; i < 5; i++) {
      Gate gate = Gate.beforeEffect();
      String name = "slow" + i;
      scene.engine.script(call -> call.name().equals(name), gate, 1);
      RecordedAnswer<Standing> slow = scene.attempt(name);
      gate.awaitEntered();
      scene.world.advance(LaneScene.TIMEOUT.minusMillis(1));
      gate.open();
      assertThat(slow.get()).isInstanceOf(Standing.Granted.class);
    }
    assertThat(scene.replaced).isEmpty();
    assertThat(scene.engine.connectionsOpened()).isEqualTo(1);
  }

  @Test
  void aLaneThatIsIdleHasNoTimer() {
    assertThat(scene.attempt("a").get()).isInstanceOf(Standing.Granted.class);
    scene.timeOut();
    assertThat(scene.world.pendingTimers()).isZero();
    int before = scene.world.schedules();
    scene.world.advance(Duration.ofHours(1));
    assertThat(scene.world.schedules()).isEqualTo(before);
  }

  @Test
  void theLimitOfALaneIsLoweredAndNeverRaised() {
    scene.lane.limit(Duration.ofMillis(500).toNanos());
    scene.lane.limit(Duration.ofMillis(900).toNanos());
    RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    scene.hang(noted);
    scene.world.advance(Duration.ofMillis(499));
    assertThat(noted.isThere()).isFalse();
    scene.world.advance(Duration.ofMillis(126));
    assertThat(noted.get()).isInstanceOf(EngineException.Unknown.class);
  }

  @Test
  void theTicketOfATripInDoubtCanLeaveAndItsLateAttemptDoesNotJoin() throws Exception {
    Gate gate = Gate.beforeEffect();
    scene.engine.script(call -> call.name().equals("hung"), gate, 1);
    Ticket ticket = Tickets.of("hung");
    RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    scene.lane.submit(Tickets.attempt(ticket, noted));
    gate.awaitEntered();
    scene.timeOut();
    noted.get();
    RecordedAnswer<Left> left = new RecordedAnswer<>();
    scene.lane.submit(new Verb.Leave(ticket, true, left));
    assertThat(left.get()).isEqualTo(Left.NOTHING);
    Thread late = scene.world.liveThreads().get(0);
    gate.open();
    Await.until("the late attempt is through", () -> !late.isAlive());
    assertThat(scene.engine.lines()).isEmpty();
  }
}
