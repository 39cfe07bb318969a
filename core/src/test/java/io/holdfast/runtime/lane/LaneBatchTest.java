package io.holdfast.runtime.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Await;
import io.holdfast.Faults;
import io.holdfast.Gate;
import io.holdfast.RecordedAnswer;
import io.holdfast.ScriptedEngine;
import io.holdfast.SilentEngine;
import io.holdfast.TestWorld;
import io.holdfast.Tickets;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lane sends all queued verbs as one trip, in order, and completes each once. */
@Timeout(60)
class LaneBatchTest {

  @Test
  void allThatQueuedBehindATripGoesAsTheNextOne() {
    LaneScene scene = new LaneScene();
    Gate gate = scene.hang(new RecordedAnswer<>());
    List<RecordedAnswer<Standing>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(scene.attempt("n" + i));
    }
    assertThat(scene.lane.queued()).isEqualTo(50);
    gate.open();
    all.forEach(noted -> assertThat(noted.get()).isInstanceOf(Standing.Granted.class));
    assertThat(scene.engine.batches()).hasSize(2);
    assertThat(LaneScene.names(scene.engine.batches().get(1)))
        .containsExactlyElementsOf(IntStream.range(0, 50).mapToObj(i -> "n" + i).toList());
    assertThat(scene.lane.queued()).isZero();
  }

  @Test
  void noBatchIsLargerThanTheEngineTakes() {
    LaneScene scene = new LaneScene(3);
    Gate gate = scene.hang(new RecordedAnswer<>());
    RecordedAnswer<Standing> last = null;
    for (int i = 0; i < 7; i++) {
      last = scene.attempt("n" + i);
    }
    gate.open();
    last.get();
    assertThat(scene.engine.batches().stream().map(LaneScene::names))
        .containsExactly(
            List.of("hung"), List.of("n0", "n1", "n2"), List.of("n3", "n4", "n5"), List.of("n6"));
  }

  @Test
  void noBatchHasTwoAttemptsForOneResourceAndTheirOrderStays() {
    LaneScene scene = new LaneScene();
    Gate gate = scene.hang(new RecordedAnswer<>());
    RecordedAnswer<Standing> first = scene.attempt("a");
    RecordedAnswer<Standing> second = scene.attempt("a");
    RecordedAnswer<Standing> other = scene.attempt("b");
    RecordedAnswer<Standing> third = scene.attempt("a");
    gate.open();
    third.get();
    assertThat(scene.engine.batches().stream().map(LaneScene::names))
        .containsExactly(List.of("hung"), List.of("a", "b"), List.of("a"), List.of("a"));
    assertThat(first.get()).isInstanceOf(Standing.Granted.class);
    assertThat(second.get()).isInstanceOf(Standing.Waiting.class);
    assertThat(other.get()).isInstanceOf(Standing.Granted.class);
  }

  @Test
  void renewalsAndLeavesOfOneResourceMayShareABatch() {
    LaneScene scene = new LaneScene();
    Ticket ticket = Tickets.of("a");
    RecordedAnswer<Standing> granted = new RecordedAnswer<>();
    scene.lane.submit(Tickets.attempt(ticket, granted));
    granted.get();
    Gate gate = scene.hang(new RecordedAnswer<>());
    RecordedAnswer<Renewal> renewed = new RecordedAnswer<>();
    RecordedAnswer<Left> left = new RecordedAnswer<>();
    scene.lane.submit(Tickets.renew(ticket, renewed));
    scene.lane.submit(Tickets.leave(ticket, left));
    RecordedAnswer<Standing> next = scene.attempt("a");
    gate.open();
    assertThat(renewed.get()).isInstanceOf(Renewal.Renewed.class);
    assertThat(left.get()).isEqualTo(Left.HOLDING);
    assertThat(next.get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.engine.batches().get(2)).hasSize(3);
  }

  @Test
  void oneVerbThatFailsDoesNotFailTheOthersOfItsBatch() {
    LaneScene scene = new LaneScene();
    Gate gate = scene.hang(new RecordedAnswer<>());
    scene.engine.script(call -> call.name().equals("b"), Faults.refused("no"), 1);
    RecordedAnswer<Standing> a = scene.attempt("a");
    RecordedAnswer<Standing> b = scene.attempt("b");
    RecordedAnswer<Standing> c = scene.attempt("c");
    gate.open();
    assertThat(a.get()).isInstanceOf(Standing.Granted.class);
    assertThat(b.get()).isInstanceOf(EngineException.Refused.class);
    assertThat(c.get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.engine.connectionsClosed()).isZero();
  }

  @Test
  void aVerbInDoubtCostsTheConnectionAndNothingElse() {
    LaneScene scene = new LaneScene();
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.answerLost());
    assertThat(scene.attempt("a").get()).isInstanceOf(EngineException.Unknown.class);
    assertThat(scene.attempt("b").get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.engine.connectionsOpened()).isEqualTo(2);
    assertThat(scene.engine.connectionsClosed()).isEqualTo(1);
    assertThat(scene.replaced).isEmpty();
  }

  @Test
  void anEngineThatThrowsLeavesItsWholeBatchInDoubt() {
    LaneScene scene = new LaneScene();
    Gate gate = scene.hang(new RecordedAnswer<>());
    scene.engine.script(
        call -> call.name().equals("a"),
        Faults.whenDone(
            () -> {
              throw new IllegalStateException("broken");
            }),
        1);
    RecordedAnswer<Standing> a = scene.attempt("a");
    RecordedAnswer<Standing> b = scene.attempt("b");
    gate.open();
    assertThat(a.get()).isInstanceOf(EngineException.Unknown.class);
    assertThat(((Exception) a.get()).getCause()).hasMessage("broken");
    assertThat(b.get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.attempt("c").get()).isInstanceOf(Standing.Granted.class);
  }

  @Test
  void aBatchThatEndsWithoutAReplyIsInDoubtAndItsConnectionIsGivenUp() {
    TestWorld world = new TestWorld();
    SilentEngine silent = new SilentEngine(ScriptedEngine.on(world).blocking(1, 10).traits());
    LaneThread lane =
        new LaneThread(silent, world, new LaneWatchdog(world), "lane", 1_000_000_000L);
    RecordedAnswer<Standing> first = new RecordedAnswer<>();
    lane.submit(Tickets.attempt("a", first));
    assertThat(first.get()).isInstanceOf(EngineException.Unknown.class);
    silent.breakDown();
    RecordedAnswer<Standing> second = new RecordedAnswer<>();
    lane.submit(Tickets.attempt("b", second));
    assertThat(second.get()).isInstanceOf(EngineException.Unknown.class);
    assertThat(((Exception) second.get()).getCause()).hasMessage("perform broke");
    Await.until("both connections are closed", () -> silent.connectionsClosed() == 2);
  }

  @Test
  void everyVerbGetsOneReplyThoughItIsCompletedTwice() {
    LaneScene scene = new LaneScene();
    RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    Verb.Attempt verb = Tickets.attempt("a", noted);
    scene.engine.next(
        ScriptedEngine.Kind.ATTEMPT,
        Faults.whenDone(() -> verb.fail(new EngineException.Unknown("a second opinion", null))));
    scene.lane.submit(verb);
    Await.until("the lane is through", () -> verb.isComplete() && scene.lane.queued() == 0);
    scene.attempt("b").get();
    assertThat(noted.times()).isEqualTo(1);
  }
}
