package io.holdfast.runtime.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Await;
import io.holdfast.Gate;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.RecordedAnswer;
import io.holdfast.ScriptedEngine;
import io.holdfast.TestWorld;
import io.holdfast.Tickets;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leaving and renewing have a lane of their own: no attempt, however stuck, delays them. */
@Timeout(60)
class LaneReservedTest {

  private final TestWorld world = new TestWorld();
  private final ScriptedEngine engine = ScriptedEngine.on(world).blocking(2, 100);
  private final List<Gate> gates = new CopyOnWriteArrayList<>();

  @AfterEach
  void openTheGates() {
    gates.forEach(Gate::open);
  }

  private Lanes lanes(HoldfastOptions options) {
    return Lanes.open(engine, options, world);
  }

  /** Hangs attempts until no open lane is free. */
  private void hangTheOpenLanes(Lanes lanes) {
    for (int i = 0; i < 64; i++) {
      Gate gate = Gate.beforeEffect();
      gates.add(gate);
      String name = "stuck" + i;
      engine.script(call -> call.name().equals(name), gate, 1);
      lanes.submit(Tickets.attempt(name, new RecordedAnswer<>()));
    }
    Await.until(
        "both open lanes are at work",
        () ->
            engine.calls(ScriptedEngine.Kind.ATTEMPT).stream()
                    .filter(call -> call.name().startsWith("stuck"))
                    .map(ScriptedEngine.Call::thread)
                    .distinct()
                    .count()
                == 2);
  }

  @Test
  void aStuckAttemptDelaysNeitherARenewalNorALeave() {
    Lanes lanes = lanes(HoldfastOptions.DEFAULTS);
    Ticket ticket = Tickets.of("a");
    RecordedAnswer<Standing> granted = new RecordedAnswer<>();
    lanes.submit(Tickets.attempt(ticket, granted));
    assertThat(granted.get()).isInstanceOf(Standing.Granted.class);
    hangTheOpenLanes(lanes);
    RecordedAnswer<Renewal> renewed = new RecordedAnswer<>();
    lanes.submit(Tickets.renew(ticket, renewed));
    assertThat(renewed.get()).isInstanceOf(Renewal.Renewed.class);
    RecordedAnswer<Left> left = new RecordedAnswer<>();
    lanes.submit(Tickets.leave(ticket, left));
    assertThat(left.get()).isEqualTo(Left.HOLDING);
    assertThat(engine.calls(ScriptedEngine.Kind.LEAVE).get(0).thread())
        .isEqualTo("holdfast-lane-reserved");
  }

  @Test
  void verbsOfOneResourceStayOnOneLaneAndSoInOrder() {
    Lanes lanes = lanes(HoldfastOptions.DEFAULTS);
    for (int i = 0; i < 200; i++) {
      RecordedAnswer<Standing> noted = new RecordedAnswer<>();
      lanes.submit(Tickets.attempt("n" + i % 20, noted));
      noted.get();
    }
    for (int i = 0; i < 20; i++) {
      String name = "n" + i;
      assertThat(
              engine.calls(ScriptedEngine.Kind.ATTEMPT).stream()
                  .filter(call -> call.name().equals(name))
                  .map(ScriptedEngine.Call::thread)
                  .distinct())
          .hasSize(1);
    }
    assertThat(
            engine.calls(ScriptedEngine.Kind.ATTEMPT).stream()
                .map(ScriptedEngine.Call::thread)
                .distinct())
        .hasSize(2);
  }

  @Test
  void theReservedLaneWaitsAtMostASixthOfTheShortestLease() {
    Lanes lanes = lanes(HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(6)));
    gates.add(engine.next(ScriptedEngine.Kind.RENEW, Gate.beforeEffect()));
    RecordedAnswer<Renewal> renewed = new RecordedAnswer<>();
    lanes.submit(Tickets.renew(Tickets.of("a"), renewed));
    gates.get(0).awaitEntered();
    world.advance(Duration.ofMillis(999));
    assertThat(renewed.isThere()).isFalse();
    world.advance(Duration.ofMillis(251));
    assertThat(renewed.get()).isInstanceOf(EngineException.Unknown.class);
  }

  @Test
  void aShorterLeaseOfAViewLowersItForAll() {
    Lanes lanes = lanes(HoldfastOptions.DEFAULTS);
    lanes.allowFor(Duration.ofSeconds(3).toNanos());
    lanes.allowFor(Duration.ofSeconds(60).toNanos());
    gates.add(engine.next(ScriptedEngine.Kind.LEAVE, Gate.beforeEffect()));
    RecordedAnswer<Left> left = new RecordedAnswer<>();
    lanes.submit(Tickets.leave(Tickets.of("a"), left));
    gates.get(0).awaitEntered();
    world.advance(Duration.ofMillis(630));
    assertThat(left.get()).isInstanceOf(EngineException.Unknown.class);
  }

  /** Of many clients, one with a short lease: its verbs are given up early, and only those. */
  @Test
  void inSharedLanesAVerbWaitsForASixthOfItsOwnLease() {
    Lane lanes = Lane.shared(engine, HoldfastOptions.DEFAULTS, Duration.ofSeconds(3), world);
    Ticket brief = Tickets.of("brief").withLease(Duration.ofSeconds(3));
    Ticket usual = Tickets.of("usual").withLease(Duration.ofSeconds(30));
    RecordedAnswer<Renewal> briefRenewed = new RecordedAnswer<>();
    RecordedAnswer<Left> usualLeft = new RecordedAnswer<>();
    inOneBatch(
        lanes,
        () -> {
          gates.add(hang("brief"));
          lanes.submit(Tickets.renew(brief, briefRenewed));
          lanes.submit(Tickets.leave(usual, usualLeft));
        });
    gates.get(1).awaitEntered();
    world.advance(Duration.ofMillis(499));
    assertThat(briefRenewed.isThere()).isFalse();
    world.advance(Duration.ofMillis(126));
    assertThat(briefRenewed.get()).isInstanceOf(EngineException.Unknown.class);
    RecordedAnswer<Renewal> again = new RecordedAnswer<>();
    lanes.submit(Tickets.renew(brief, again));
    assertThat(again.get()).isInstanceOf(Renewal.class);
    assertThat(engine.connectionsOpened()).isEqualTo(2);
    assertThat(usualLeft.isThere()).isFalse();
    gates.get(1).open();
    assertThat(usualLeft.get()).isInstanceOf(Left.class);
    Await.until("the first connection is closed", () -> engine.connectionsClosed() == 1);
  }

  @Test
  void inSharedLanesTheLongestLeaseEndsTheConnection() {
    Lane lanes = Lane.shared(engine, HoldfastOptions.DEFAULTS, Duration.ofSeconds(3), world);
    RecordedAnswer<Renewal> briefRenewed = new RecordedAnswer<>();
    RecordedAnswer<Left> usualLeft = new RecordedAnswer<>();
    inOneBatch(
        lanes,
        () -> {
          gates.add(hang("brief"));
          lanes.submit(
              Tickets.renew(Tickets.of("brief").withLease(Duration.ofSeconds(3)), briefRenewed));
          lanes.submit(
              Tickets.leave(Tickets.of("usual").withLease(Duration.ofSeconds(30)), usualLeft));
        });
    gates.get(1).awaitEntered();
    world.advance(Duration.ofMillis(625));
    assertThat(briefRenewed.get()).isInstanceOf(EngineException.Unknown.class);
    assertThat(engine.connectionsClosed()).isZero();
    world.advance(Duration.ofMillis(1_500));
    assertThat(usualLeft.get()).isInstanceOf(EngineException.Unknown.class);
    Await.until("the connection is closed", () -> engine.connectionsClosed() == 1);
  }

  /** Verbs that are not sent before the lane is connected are not sent after their time either. */
  @Test
  void inSharedLanesAVerbThatWasGivenUpBeforeTheConnectionIsNotSent() {
    Lane lanes = Lane.shared(engine, HoldfastOptions.DEFAULTS, Duration.ofSeconds(3), world);
    Gate connecting = engine.next(ScriptedEngine.Kind.CONNECT, Gate.beforeEffect());
    gates.add(connecting);
    RecordedAnswer<Renewal> first = new RecordedAnswer<>();
    lanes.submit(Tickets.renew(Tickets.of("brief").withLease(Duration.ofSeconds(3)), first));
    connecting.awaitEntered();
    world.advance(Duration.ofMillis(625));
    assertThat(first.get()).isInstanceOf(EngineException.NotDone.class);
    connecting.open();
    Await.until("the late crew is gone", () -> world.liveThreads().isEmpty());
    assertThat(engine.count(ScriptedEngine.Kind.RENEW)).isZero();
  }

  /** Lets verbs queue behind a renewal that hangs, so that they share a batch. */
  private void inOneBatch(Lane lanes, Runnable submit) {
    Gate ahead = hang("ahead");
    gates.add(ahead);
    lanes.submit(Tickets.renew(Tickets.of("ahead"), new RecordedAnswer<Renewal>()));
    ahead.awaitEntered();
    submit.run();
    ahead.open();
  }

  private Gate hang(String name) {
    Gate gate = Gate.beforeEffect();
    engine.script(call -> call.name().equals(name), gate, 1);
    return gate;
  }

  @Test
  void aHoldSurvivesManyLeasesWhileEveryOpenLaneIsStuck() throws Exception {
    List<HoldfastListener.Event> events = new CopyOnWriteArrayList<>();
    Holdfast holdfast =
        Holdfast.open(
            engine,
            HoldfastOptions.DEFAULTS
                .withListener(events::add)
                .withOperationTimeout(Duration.ofSeconds(4)),
            world);
    Hold hold = holdfast.lock("a").acquire(Duration.ofSeconds(5));
    engine.script(
        call -> call.kind() == ScriptedEngine.Kind.ATTEMPT && call.name().startsWith("stuck"),
        new ScriptedEngine.Fault() {
          @Override
          public void before() throws EngineException {
            Gate gate = Gate.beforeEffect();
            gates.add(gate);
            gate.before();
          }
        },
        Integer.MAX_VALUE);
    for (int i = 0; i < 8; i++) {
      var unused = holdfast.lock("stuck" + i).acquireAsync(Duration.ofHours(1));
    }
    for (int i = 0; i < 60; i++) {
      int before = engine.count(ScriptedEngine.Kind.RENEW);
      world.advance(Duration.ofMillis(11_100));
      world.creepUntil("a renewal", () -> engine.count(ScriptedEngine.Kind.RENEW) > before);
      world.creepUntil("it is held", () -> hold.remaining().compareTo(Duration.ofSeconds(16)) > 0);
    }
    assertThat(events)
        .anySatisfy(event -> assertThat(event).isInstanceOf(HoldfastListener.LaneReplaced.class));
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
  }
}
