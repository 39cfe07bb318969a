package io.holdfast.cli.demo;

import io.holdfast.LockTimeoutException;
import io.holdfast.cli.demo.Timeline.State;
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

/** The four parts of the demo within one process. */
final class SingleProcessStory {

  private static final long LONG_ENOUGH_SECONDS = 20;
  private static final Duration SECOND_THREAD = Duration.ofMillis(300);

  private final DemoSetup stage;
  private final DemoTiming pace;
  private final DemoMachine ada;
  private final DemoMachine ben;
  private final DemoMachine cat;
  private final DemoMachine dan;

  SingleProcessStory(DemoSetup stage, DemoTiming pace) {
    this.stage = stage;
    this.pace = pace;
    ada = stage.machine("ada");
    ben = stage.machine("ben");
    cat = stage.machine("cat");
    dan = stage.machine("dan");
  }

  void tell() throws DemoAbortedException, InterruptedException {
    pause(pace.breath());
    everybodyWantsIt();
    pause(pace.breath());
    twoThreadsOfOneMachine();
    pause(pace.breath());
    longJob();
    pause(pace.breath());
    stoppedMachine();
  }

  private void everybodyWantsIt() throws DemoAbortedException, InterruptedException {
    stage.timeline.part("Four machines want one lock. One is in at a time, and tokens rise.");
    for (WorkerTurn turn : stage.machines.stream().map(m -> turn(m, pace.turn())).toList()) {
      await(turn.done());
    }
  }

  private void twoThreadsOfOneMachine() throws DemoAbortedException, InterruptedException {
    stage.timeline.part("Two threads of one machine. The lock is handed over on the spot.");
    // Longer than the others, so that the second thread surely waits, also on a busy machine.
    WorkerTurn first = turn(ben, pace.turn().plus(SECOND_THREAD));
    await(first.in());
    WorkerTurn second = turn(ben, pace.turn());
    await(first.done());
    await(second.done());
  }

  private void longJob() throws DemoAbortedException, InterruptedException {
    stage.timeline.part("A job longer than its lease is renewed. Who gives up leaves no trace.");
    WorkerTurn job = turn(dan, pace.longJob());
    await(job.in());
    CompletableFuture<Void> gaveUp = new CompletableFuture<>();
    cat.start(() -> waitInVain(cat, gaveUp));
    await(gaveUp);
    await(job.done());
  }

  private void waitInVain(DemoMachine machine, CompletableFuture<Void> gaveUp) {
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

  private void lookAtLine(DemoMachine machine, CompletableFuture<Void> looked) {
    try {
      List<TicketView> line =
          stage.lines().stream().flatMap(each -> each.tickets().stream()).toList();
      int waiting = (int) line.stream().filter(t -> t.state() == TicketView.State.WAITING).count();
      stage.checker.stillInLine(waiting);
      String counts =
          String.format(Locale.ROOT, "%d in, %d waiting", line.size() - waiting, waiting);
      stage.timeline.row(machine, State.IDLE, "leaves nothing in line: " + counts);
      looked.complete(null);
    } catch (EngineException e) {
      looked.completeExceptionally(e);
    }
  }

  private void stoppedMachine() throws DemoAbortedException, InterruptedException {
    stage.timeline.part("A machine stops in the middle, and wakes up when it is too late.");
    WorkerTurn stopped = turn(ada, DemoMachine.LEASE);
    await(stopped.in());
    pause(pace.turn());
    ada.stop();
    stage.timeline.alarm(ada, State.STOPPED, "stops dead, as in a long GC; nobody renews");
    WorkerTurn next = turn(ben, pace.turn());
    WorkerTurn last = turn(cat, pace.turn());
    await(CompletableFuture.anyOf(next.done(), last.done()));
    await(next.in());
    await(last.in());
    pause(pace.turn().dividedBy(2));
    ada.wakeUp();
    await(stopped.done());
    await(stopped.told());
    WorkerTurn again = WorkerTurn.begin(stage, ada, pace.turn(), stage.guarded);
    await(next.done());
    await(last.done());
    await(again.done());
  }

  private WorkerTurn turn(DemoMachine machine, Duration work) {
    return WorkerTurn.begin(stage, machine, work, stage.unguarded, stage.guarded);
  }

  private static void pause(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }

  private static void await(Future<?> event) throws DemoAbortedException, InterruptedException {
    try {
      event.get(LONG_ENOUGH_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new DemoAbortedException(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new DemoAbortedException(e);
    }
  }
}
