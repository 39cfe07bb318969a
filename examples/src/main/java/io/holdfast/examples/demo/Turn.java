package io.holdfast.examples.demo;

import io.holdfast.Hold;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.StaleTokenException;
import io.holdfast.examples.demo.Timeline.State;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One worker's turn at the jars: get the lock, look, work, pay, leave. */
final class Turn {

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(15);

  private final Stage stage;
  private final Machine machine;
  private final Duration work;
  private final List<Jar> jars;
  private final CompletableFuture<Hold> in = new CompletableFuture<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final CompletableFuture<Loss> told = new CompletableFuture<>();

  private Turn(Stage stage, Machine machine, Duration work, List<Jar> jars) {
    this.stage = stage;
    this.machine = machine;
    this.work = work;
    this.jars = jars;
  }

  /** Begins a turn on a thread of the machine, with a coin for each of the jars. */
  static Turn begin(Stage stage, Machine machine, Duration work, Jar... jars) {
    Turn turn = new Turn(stage, machine, work, List.of(jars));
    machine.start(turn::run);
    return turn;
  }

  /** Completes when it is in. */
  CompletableFuture<Hold> in() {
    return in;
  }

  /** Completes when it has left. */
  CompletableFuture<Void> done() {
    return done;
  }

  /** Completes if its loss is told. */
  CompletableFuture<Loss> told() {
    return told;
  }

  private void run() {
    try {
      wants();
      Hold hold = machine.lock().acquire(LONG_ENOUGH);
      entered(hold);
      Map<Jar, Integer> seen = new LinkedHashMap<>();
      jars.forEach(jar -> seen.put(jar, jar.look(hold)));
      in.complete(hold);
      machine.work(work);
      pay(hold, seen);
      leave(hold);
      done.complete(null);
    } catch (InterruptedException | RuntimeException e) {
      in.completeExceptionally(e);
      done.completeExceptionally(e);
    }
  }

  private void wants() {
    if (stage.timeline.state(machine) == State.IN) {
      stage.timeline.row(machine, State.IN, "wants it in a second thread too");
    } else {
      stage.timeline.row(machine, State.WAITS, "wants the lock");
    }
  }

  private void entered(Hold hold) {
    long before = stage.lastToken(hold.token());
    stage.referee.granted(hold);
    boolean handedOver = Token.grant(before) == Token.grant(hold.token());
    String how = handedOver ? "is handed the lock, token " : "gets the lock, token ";
    stage.timeline.row(machine, State.IN, how + stage.strong(hold.token()));
    stage.watch.follow(machine, hold);
    hold.onLoss(this::lost);
  }

  private void lost(Loss loss) {
    stage.referee.told(loss);
    stage.timeline.alarm(machine, State.IDLE, "is told of its loss: " + loss.cause());
    told.complete(loss);
  }

  /** Pays whether or not it still holds: code like this is what guards are for. */
  private void pay(Hold hold, Map<Jar, Integer> seen) {
    if (!hold.isHeld()) {
      stage.timeline.alarm(machine, State.STOPPED, "wakes up: isHeld() is false; it pays anyway");
    }
    try {
      seen.forEach((jar, coins) -> jar.pay(hold, coins));
    } catch (StaleTokenException e) {
      String token = stage.shown(e.token());
      stage.timeline.alarm(machine, State.IDLE, "is refused by the guard: stale " + token);
    }
  }

  private void leave(Hold hold) {
    stage.watch.forget(hold);
    if (hold.isHeld()) {
      stage.timeline.row(machine, State.IDLE, "has paid and gives it back");
    }
    Outcome outcome = hold.release();
    if (outcome == Outcome.LOST) {
      stage.timeline.alarm(machine, State.IDLE, "gives it back, hears: " + outcome);
    }
  }
}
