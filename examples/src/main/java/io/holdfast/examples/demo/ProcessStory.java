package io.holdfast.examples.demo;

import io.holdfast.examples.demo.Look.Paint;
import io.holdfast.examples.demo.Timeline.State;
import io.holdfast.spi.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The demo with processes: all want the lock, one is killed, one is stopped and comes late. */
final class ProcessStory {

  private static final String TEXT =
      """
      Four workers, each a process of its own, share one lock. A lease of 2 s is renewed
      while its holder lives. Every grant has a token that is larger than all before;
      the guard of what is protected refuses whoever shows an older.
      """;

  private final Crew crew;
  private final Timeline timeline;
  private final Look look;
  private final List<Long> tokens = new ArrayList<>();
  private double secondsAfterKill;
  private boolean lossTold;
  private boolean lateRefused;
  private int left;

  ProcessStory(Crew crew, Timeline timeline, Look look) {
    this.crew = crew;
    this.timeline = timeline;
    this.look = look;
  }

  void tell() throws BrokenOffException, EngineException, InterruptedException, IOException {
    timeline.introduce("Holdfast: one lock, four processes, " + crew.where() + ".", TEXT);
    everybodyWantsIt();
    killed();
    stopped();
    left = crew.left();
  }

  private void everybodyWantsIt() throws BrokenOffException, InterruptedException {
    timeline.part("Four processes want one lock. One is in at a time, and tokens rise.");
    for (WorkerProcess worker : crew.all()) {
      wants(worker);
    }
    for (int i = 0; i < crew.all().size(); i++) {
      givesBack(awaitIn(""));
    }
  }

  private void killed() throws BrokenOffException, InterruptedException {
    timeline.part("A holder is killed with -9. Its lease ends, and the next one is in.");
    WorkerProcess ada = crew.worker("ada");
    WorkerProcess ben = crew.worker("ben");
    wants(ada);
    WorkerProcess unused = awaitIn("");
    wants(ben);
    ada.kill9();
    long killed = System.nanoTime();
    timeline.alarm(ada, State.IDLE, "is killed with -9 while it has the lock");
    Crew.Said in = crew.await("in");
    secondsAfterKill = (System.nanoTime() - killed) / 1e9;
    entered(in, String.format(Locale.ROOT, ", %.1f s after the kill", secondsAfterKill));
    givesBack(ben);
  }

  private void stopped() throws BrokenOffException, InterruptedException, IOException {
    timeline.part("A holder is stopped with SIGSTOP, and wakes up when it is too late.");
    WorkerProcess cat = crew.worker("cat");
    WorkerProcess dan = crew.worker("dan");
    wants(cat);
    WorkerProcess unused = awaitIn("");
    long late = tokens.get(tokens.size() - 1);
    cat.stop();
    timeline.alarm(cat, State.STOPPED, "stands still; nobody renews");
    wants(dan);
    unused = awaitIn(" meanwhile");
    cat.goOn();
    Crew.Said lost = crew.await("lost");
    lossTold = lost.who() == cat;
    timeline.alarm(cat, State.IDLE, "wakes up and is told of its loss: " + lost.rest());
    lateRefused = tokens.get(tokens.size() - 1) > late;
    String guard = lateRefused ? "is refused by the guard: stale " : "gets past the guard: ";
    timeline.alarm(cat, State.IDLE, guard + look.shortened(late));
    givesBack(dan);
  }

  private void wants(WorkerProcess worker) {
    worker.tell("take");
    timeline.row(worker, State.WAITS, "wants the lock");
  }

  private WorkerProcess awaitIn(String when) throws BrokenOffException, InterruptedException {
    Crew.Said in = crew.await("in");
    entered(in, when);
    return in.who();
  }

  private void entered(Crew.Said in, String when) {
    long token = Long.parseLong(in.rest());
    tokens.add(token);
    String shown = look.paint(Paint.BOLD, look.shortened(token));
    timeline.row(in.who(), State.IN, "gets the lock, token " + shown + when);
  }

  private void givesBack(WorkerProcess worker) throws BrokenOffException, InterruptedException {
    timeline.row(worker, State.IDLE, "has paid and gives it back");
    worker.tell("give");
    // A rival may say that it is in before the one that left has said so.
    Crew.Said gave = crew.awaitFrom(worker, "gave");
    if (!gave.rest().equals("RELEASED")) {
      timeline.alarm(worker, State.IDLE, "gives it back, hears: " + gave.rest());
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

  void sumUp(Screen screen) {
    screen.line("");
    screen.line(look.paint(Paint.BOLD, "What came of it"));
    fact(screen, tokensRose(), "grants with rising tokens", String.valueOf(tokens.size()));
    String after = String.format(Locale.ROOT, "%.1f s", secondsAfterKill);
    fact(screen, true, "next one in after the kill", after);
    fact(screen, lossTold, "loss told to the stopped", lossTold ? "yes" : "no");
    fact(screen, lateRefused, "stale token refused", lateRefused ? "yes" : "no");
    fact(screen, left == 0, "left behind in the store", String.valueOf(left));
    screen.line("");
    String end = isRight() ? "All as it must be" : "SOMETHING IS WRONG";
    screen.line(String.format(Locale.ROOT, "%s, in %.1f s.", end, timeline.elapsed()));
  }

  private void fact(Screen screen, boolean right, String what, String value) {
    String sign = look.pick(right ? "✓" : "✗", right ? "ok" : "NO");
    String painted = look.paint(right ? Paint.GREEN : Paint.RED, sign);
    screen.line(String.format(Locale.ROOT, "  %s %-28s%9s", painted, what, value));
  }
}
