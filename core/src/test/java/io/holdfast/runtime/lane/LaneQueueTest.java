package io.holdfast.runtime.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Await;
import io.holdfast.Gate;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.OverloadedException;
import io.holdfast.RecordedAnswer;
import io.holdfast.ScriptedEngine;
import io.holdfast.TestWorld;
import io.holdfast.Tickets;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a lane can be taken back, and beyond a limit no more is let in. */
@Timeout(60)
class LaneQueueTest {

  private final TestWorld world = new TestWorld();

  @Test
  void aQueuedVerbThatIsTakenBackNeverReachesTheStoreAndIsNeverCompleted() {
    LaneScene scene = new LaneScene();
    Gate gate = scene.hang(new RecordedAnswer<>());
    RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    Verb.Attempt verb = Tickets.attempt("a", noted);
    scene.lane.submit(verb);
    assertThat(scene.lane.withdraw(verb)).isTrue();
    assertThat(scene.lane.queued()).isZero();
    assertThat(scene.lane.withdraw(verb)).isFalse();
    gate.open();
    scene.attempt("b").get();
    assertThat(noted.isThere()).isFalse();
    assertThat(scene.engine.calls()).noneMatch(call -> call.name().equals("a"));
  }

  @Test
  void aVerbThatIsOnItsWayCannotBeTakenBack() {
    LaneScene scene = new LaneScene();
    Gate gate = Gate.beforeEffect();
    scene.engine.script(call -> call.name().equals("a"), gate, 1);
    RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    Verb.Attempt verb = Tickets.attempt("a", noted);
    scene.lane.submit(verb);
    gate.awaitEntered();
    assertThat(scene.lane.withdraw(verb)).isFalse();
    gate.open();
    assertThat(noted.get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.lane.withdraw(verb)).isFalse();
  }

  @Test
  void acquiresBeyondTheLimitAreTurnedAwayAtOnceAndTheOthersGoOn() throws Exception {
    ScriptedEngine engine = ScriptedEngine.on(world).blocking(1, 100);
    Gate gate = Gate.beforeEffect();
    engine.script(call -> call.name().equals("stuck"), gate, 1);
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS.withQueueLimit(5), world);
    List<CompletableFuture<Hold>> all = new ArrayList<>();
    all.add(holdfast.lock("stuck").acquireAsync(Duration.ofMinutes(1)));
    gate.awaitEntered();
    for (int i = 0; i < 5; i++) {
      all.add(holdfast.lock("n" + i).acquireAsync(Duration.ofMinutes(1)));
    }
    assertThatThrownBy(() -> holdfast.lock("one-more").acquire(Duration.ofMinutes(1)))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContainingAll("5", "scripted:", "\"one-more\"", "queueLimit");
    assertThatThrownBy(() -> holdfast.lock("one-more").tryAcquire())
        .isInstanceOf(OverloadedException.class);
    gate.open();
    for (CompletableFuture<Hold> each : all) {
      Await.until("it is granted", () -> world.runCallbacks() || each.isDone());
      assertThat(each.get().isHeld()).isTrue();
    }
    assertThat(holdfast.lock("one-more").tryAcquire()).isPresent();
    assertThat(engine.calls()).filteredOn(call -> call.name().equals("one-more")).hasSize(1);
  }

  @Test
  void leavesAreLetInHoweverMuchWaits() throws Exception {
    ScriptedEngine engine = ScriptedEngine.on(world).blocking(1, 100);
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS.withQueueLimit(1), world);
    Hold hold = holdfast.lock("a").acquire(Duration.ofSeconds(5));
    Gate gate = Gate.beforeEffect();
    engine.script(call -> call.name().equals("stuck"), gate, 1);
    var stuck = holdfast.lock("stuck").acquireAsync(Duration.ofMinutes(1));
    gate.awaitEntered();
    var queued = holdfast.lock("queued").acquireAsync(Duration.ofMinutes(1));
    assertThatThrownBy(() -> holdfast.lock("b").tryAcquire())
        .isInstanceOf(OverloadedException.class);
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    gate.open();
    Await.until("both go on", () -> world.runCallbacks() || (stuck.isDone() && queued.isDone()));
  }

  @Test
  void aCallerThatGivesUpWhileItsAttemptIsQueuedLeavesWithoutAStoreCall() throws Exception {
    ScriptedEngine engine = ScriptedEngine.on(world).blocking(1, 100);
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Gate gate = Gate.beforeEffect();
    engine.script(call -> call.name().equals("stuck"), gate, 1);
    var stuck = holdfast.lock("stuck").acquireAsync(Duration.ofMinutes(1));
    gate.awaitEntered();
    var queued = holdfast.lock("queued").acquireAsync(Duration.ofMinutes(1));
    queued.cancel(true);
    gate.open();
    Await.until("the other goes on", () -> world.runCallbacks() || stuck.isDone());
    stuck.get().release();
    assertThat(engine.calls()).noneMatch(call -> call.name().equals("queued"));
    assertThat(engine.lines()).isEmpty();
  }
}
