package io.holdfast.examples.demo;

import io.holdfast.LockTimeoutException;
import io.holdfast.examples.demo.Timeline.State;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The four parts of the demo. Who does what is written here; what comes of it is not. */
final class Story {

  private static final long LONG_ENOUGH_SECONDS = 20;
  private static final Duration SECOND_THREAD = Duration.ofMillis(300);

  private final Stage stage;
  private final Pace pace;
  private final Machine ada;
  private final Machine ben;
  private final Machine cat;
  private final Machine dan;

  Story(Stage stage, Pace pace) {
    this.stage = stage;
    this.pace = pace;
    ada = stage.machine("ada");
    ben = stage.machine("ben");
    cat = stage.machine("cat");
    dan = stage.machine("dan");
  }

  void tell() throws BrokenOffException, InterruptedException {
    pause(pace.breath());
    everybodyWantsIt();
    pause(pace.breath());
    twoThreadsOfOneMachine();
    pause(pace.breath());
    longJob();
    pause(pace.breath());
    stoppedMachine();
  }

  private void everybodyWantsIt() throws BrokenOffException, InterruptedException {
    stage.timeline.part("Four machines want one lock. One is in at a time, and tokens rise.");
    for (Turn turn : stage.machines.stream().map(m -> turn(m, pace.turn())).toList()) {
      await(turn.done());
    }
  }

  private void twoThreadsOfOneMachine() throws BrokenOffException, InterruptedException {
    stage.timeline.part("Two threads of one machine. The lock is handed over on the spot.");
    // Longer than the others, so that the second thread surely waits, also on a busy machine.
    Turn first = turn(ben, pace.turn().plus(SECOND_THREAD));
    await(first.in());
    Turn second = turn(ben, pace.turn());
    await(first.done());
    await(second.done());
  }

  private void longJob() throws BrokenOffException, InterruptedException {
    stage.timeline.part("A job longer than its lease is renewed. Who gives up leaves no trace.");
    Turn job = turn(dan, pace.longJob());
    await(job.in());
    CompletableFuture<Void> gaveUp = new CompletableFuture<>();
    cat.start(() -> waitInVain(cat, gaveUp));
    await(gaveUp);
    await(job.done());
  }

  private void waitInVain(Machine machine, CompletableFuture<Void> gaveUp) {
    double seconds = pace.patience().toMillis() / 1000.0;
    String wants = String.format(Locale.ROOT, "wants it within %.1f s", seconds);
    stage.timeline.row(machine, State.WAITS, wants);
    try {
      machine.lock().acquire(pace.patience()).release();
      gaveUp.completeExceptionally(new IllegalStateException("got what another one holds"));
    } catch (LockTimeoutException e) {
      String holder = e.holder().map(Owner::app).orElse("somebody");
      stage.timeline.row(machine, State.IDLE, "gives up: " + holder + " has it");
      lookAtLine(machine, gaveUp);
    } catch (InterruptedException | RuntimeException e) {
      gaveUp.completeExceptionally(e);
    }
  }

  private void lookAtLine(Machine machine, CompletableFuture<Void> looked) {
    try {
      List<TicketView> line =
          stage.lines().stream().flatMap(each -> each.tickets().stream()).toList();
      int waiting = (int) line.stream().filter(t -> t.state() == TicketView.State.WAITING).count();
      stage.referee.stillInLine(waiting);
      String counts =
          String.format(Locale.ROOT, "%d in, %d waiting", line.size() - waiting, waiting);
      stage.timeline.row(machine, State.IDLE, "leaves nothing in line: " + counts);
      looked.complete(null);
    } catch (EngineException e) {
      looked.completeExceptionally(e);
    }
  }

  private void stoppedMachine() throws BrokenOffException, InterruptedException {
    stage.timeline.part("A machine stops in the middle, and wakes up when it is too late.");
    Turn stopped = turn(ada, Machine.LEASE);
    await(stopped.in());
    pause(pace.turn());
    ada.stop();
    stage.timeline.alarm(ada, State.STOPPED, "stops dead, as in a long GC; nobody renews");
    Turn next = turn(ben, pace.turn());
    Turn last = turn(cat, pace.turn());
    await(CompletableFuture.anyOf(next.done(), last.done()));
    await(next.in());
    await(last.in());
    pause(pace.turn().dividedBy(2));
    ada.wakeUp();
    await(stopped.done());
    await(stopped.told());
    Turn again = Turn.begin(stage, ada, pace.turn(), stage.guarded);
    await(next.done());
    await(last.done());
    await(again.done());
  }

  private Turn turn(Machine machine, Duration work) {
    return Turn.begin(stage, machine, work, stage.unguarded, stage.guarded);
  }

  private static void pause(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }

  private static void await(Future<?> event) throws BrokenOffException, InterruptedException {
    try {
      event.get(LONG_ENOUGH_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new BrokenOffException(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new BrokenOffException(e);
    }
  }
}
