package io.holdfast.cli.demo;

import io.holdfast.cli.demo.DemoStyle.Paint;
import io.holdfast.cli.demo.Timeline.State;
import io.holdfast.spi.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The demo with processes: one is killed, one is stopped and continues too late. */
final class ProcessStory {

  private static final String TEXT =
      """
      Four workers, each a process of its own, share one lock. A lease of 2 s is renewed
      while its holder lives. Every grant has a token that is larger than all before;
      the guard of the protected data refuses any older one.
      """;

  private final WorkerProcesses workers;
  private final Timeline timeline;
  private final DemoStyle look;
  private final List<Long> tokens = new ArrayList<>();
  private double secondsAfterKill;
  private boolean lossTold;
  private boolean lateRefused;
  private int left;

  ProcessStory(WorkerProcesses workers, Timeline timeline, DemoStyle look) {
    this.workers = workers;
    this.timeline = timeline;
    this.look = look;
  }

  void tell() throws DemoAbortedException, EngineException, InterruptedException, IOException {
    timeline.introduce("Holdfast: one lock, four processes, " + workers.where() + ".", TEXT);
    everybodyWantsIt();
    killed();
    stopped();
    left = workers.left();
  }

  private void everybodyWantsIt() throws DemoAbortedException, InterruptedException {
    timeline.part("Four processes want one lock. One is in at a time, and tokens rise.");
    for (WorkerProcess worker : workers.all()) {
      wants(worker);
    }
    for (int i = 0; i < workers.all().size(); i++) {
      givesBack(awaitIn(""));
    }
  }

  private void killed() throws DemoAbortedException, InterruptedException {
    timeline.part("A holder is killed with -9. Its lease ends, and the next one is in.");
    WorkerProcess ada = workers.worker("ada");
    WorkerProcess ben = workers.worker("ben");
    wants(ada);
    WorkerProcess unused = awaitIn("");
    wants(ben);
    ada.kill9();
    long killed = System.nanoTime();
    timeline.alarm(ada, State.IDLE, "is killed with -9 while it has the lock");
    WorkerProcesses.Said in = workers.await("in");
    secondsAfterKill = (System.nanoTime() - killed) / 1e9;
    entered(in, String.format(Locale.ROOT, ", %.1f s after the kill", secondsAfterKill));
    givesBack(ben);
  }

  private void stopped() throws DemoAbortedException, InterruptedException, IOException {
    timeline.part("A holder is stopped with SIGSTOP, and wakes up when it is too late.");
    WorkerProcess cat = workers.worker("cat");
    WorkerProcess dan = workers.worker("dan");
    wants(cat);
    WorkerProcess unused = awaitIn("");
    long late = tokens.get(tokens.size() - 1);
    cat.stop();
    timeline.alarm(cat, State.STOPPED, "stands still; nobody renews");
    wants(dan);
    unused = awaitIn(" meanwhile");
    cat.goOn();
    WorkerProcesses.Said lost = workers.await("lost");
    lossTold = lost.who() == cat;
    timeline.alarm(cat, State.IDLE, "wakes up and is notified of its loss: " + lost.rest());
    lateRefused = tokens.get(tokens.size() - 1) > late;
    String guard = lateRefused ? "is refused by the guard: stale " : "gets past the guard: ";
    timeline.alarm(cat, State.IDLE, guard + look.shortened(late));
    givesBack(dan);
  }

  private void wants(WorkerProcess worker) {
    worker.tell("take");
    timeline.row(worker, State.WAITS, "wants the lock");
  }

  private WorkerProcess awaitIn(String when) throws DemoAbortedException, InterruptedException {
    WorkerProcesses.Said in = workers.await("in");
    entered(in, when);
    return in.who();
  }

  private void entered(WorkerProcesses.Said in, String when) {
    long token = Long.parseLong(in.rest());
    tokens.add(token);
    String shown = look.paint(Paint.BOLD, look.shortened(token));
    timeline.row(in.who(), State.IN, "gets the lock, token " + shown + when);
  }

  private void givesBack(WorkerProcess worker) throws DemoAbortedException, InterruptedException {
    timeline.row(worker, State.IDLE, "has paid and releases it");
    worker.tell("give");
    // A rival may report its grant before the previous holder reports its release.
    WorkerProcesses.Said gave = workers.awaitFrom(worker, "gave");
    if (!gave.rest().equals("RELEASED")) {
      timeline.alarm(worker, State.IDLE, "releases it: " + gave.rest());
    }
  }

  private boolean tokensRose() {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.get(i) <= tokens.get(i - 1)) {
        return false;
      }
    }
    return !tokens.isEmpty();
  }

  boolean isRight() {
    return tokensRose() && lossTold && lateRefused && left == 0;
  }

  void sumUp(DemoScreen screen) {
    screen.line("");
    screen.line(look.paint(Paint.BOLD, "What came of it"));
    fact(screen, tokensRose(), "grants with rising tokens", String.valueOf(tokens.size()));
    String after = String.format(Locale.ROOT, "%.1f s", secondsAfterKill);
    fact(screen, true, "next one in after the kill", after);
    fact(screen, lossTold, "loss reported to the stopped", lossTold ? "yes" : "no");
    fact(screen, lateRefused, "stale token refused", lateRefused ? "yes" : "no");
    fact(screen, left == 0, "left behind in the store", String.valueOf(left));
    screen.line("");
    String end = isRight() ? "All as it must be" : "SOMETHING IS WRONG";
    screen.line(String.format(Locale.ROOT, "%s, in %.1f s.", end, timeline.elapsed()));
  }

  private void fact(DemoScreen screen, boolean right, String what, String value) {
    String sign = look.pick(right ? "✓" : "✗", right ? "ok" : "NO");
    String painted = look.paint(right ? Paint.GREEN : Paint.RED, sign);
    screen.line(String.format(Locale.ROOT, "  %s %-28s%9s", painted, what, value));
  }
}
