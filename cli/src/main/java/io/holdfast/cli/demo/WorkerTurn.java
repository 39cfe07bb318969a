package io.holdfast.cli.demo;

import io.holdfast.Hold;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.StaleTokenException;
import io.holdfast.cli.demo.Timeline.State;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One worker's turn: acquire the lock, read, work, pay, release. */
final class WorkerTurn {

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(15);

  private final DemoSetup stage;
  private final DemoMachine machine;
  private final Duration work;
  private final List<SharedCounter> counters;
  private final CompletableFuture<Hold> in = new CompletableFuture<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final CompletableFuture<Loss> told = new CompletableFuture<>();

  private WorkerTurn(
      DemoSetup stage, DemoMachine machine, Duration work, List<SharedCounter> counters) {
    this.stage = stage;
    this.machine = machine;
    this.work = work;
    this.counters = counters;
  }

  /** Begins a turn on a thread of the machine, with a coin for each of the counters. */
  static WorkerTurn begin(
      DemoSetup stage, DemoMachine machine, Duration work, SharedCounter... counters) {
    WorkerTurn turn = new WorkerTurn(stage, machine, work, List.of(counters));
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

  /** Completes when its loss is reported. */
  CompletableFuture<Loss> told() {
    return told;
  }

  private void run() {
    try {
      wants();
      Hold hold = machine.lock().acquire(LONG_ENOUGH);
      entered(hold);
      Map<SharedCounter, Integer> seen = new LinkedHashMap<>();
      counters.forEach(counter -> seen.put(counter, counter.look(hold)));
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
    stage.checker.granted(hold);
    boolean handedOver = Token.grant(before) == Token.grant(hold.token());
    String how = handedOver ? "is handed the lock, token " : "gets the lock, token ";
    stage.timeline.row(machine, State.IN, how + stage.strong(hold.token()));
    stage.watch.follow(machine, hold);
    hold.onLoss(this::lost);
  }

  private void lost(Loss loss) {
    stage.checker.told(loss);
    stage.timeline.alarm(machine, State.IDLE, "is notified of its loss: " + loss.cause());
    told.complete(loss);
  }

  /** Pays whether or not it still holds: code like this is what guards are for. */
  private void pay(Hold hold, Map<SharedCounter, Integer> seen) {
    if (!hold.isHeld()) {
      stage.timeline.alarm(machine, State.STOPPED, "wakes up: isHeld() is false; it pays anyway");
    }
    try {
      seen.forEach((counter, coins) -> counter.pay(hold, coins));
    } catch (StaleTokenException e) {
      String token = stage.shown(e.token());
      stage.timeline.alarm(machine, State.IDLE, "is refused by the guard: stale " + token);
    }
  }

  private void leave(Hold hold) {
    stage.watch.forget(hold);
    if (hold.isHeld()) {
      stage.timeline.row(machine, State.IDLE, "has paid and releases it");
    }
    Outcome outcome = hold.release();
    if (outcome == Outcome.LOST) {
      stage.timeline.alarm(machine, State.IDLE, "releases it: " + outcome);
    }
  }
}
