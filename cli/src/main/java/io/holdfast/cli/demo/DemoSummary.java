package io.holdfast.cli.demo;

import io.holdfast.Loss;
import io.holdfast.cli.demo.DemoStyle.Paint;
import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results, counted during the run; the demo fails if one of them is wrong. */
final class DemoSummary {

  private record Fact(boolean right, String what, String value, String note) {}

  private final DemoSetup stage;
  private final List<Fact> facts = new ArrayList<>();

  DemoSummary(DemoSetup stage) throws EngineException {
    this.stage = stage;
    OverlapChecker seen = stage.checker;
    boolean allSeen = seen.grants() > 0 && seen.grants() == seen.holds();
    add(allSeen, "grants", "" + seen.grants(), "by one store to four clients");
    add(seen.handedOver() > 0, "of them hand-overs", "" + seen.handedOver(), "thread to thread");
    add(seen.tokensRose(), "tokens strictly rising", seen.tokensRose() ? "yes" : "no", "");
    add(seen.overlaps() == 0, "overlaps of beliefs", "" + seen.overlaps(), "nobody met a rival");
    int left = seen.stillInLine() + stage.lines().size();
    boolean clean = left == 0 && seen.gaveUp() > 0;
    add(clean, "left behind in the store", "" + left, "by holders and by who gave up");
    addLosses(seen);
    addWrites(stage.guarded, stage.unguarded);
  }

  private void addLosses(OverlapChecker seen) {
    List<Loss> told = seen.lossesTold();
    boolean expired = told.stream().allMatch(loss -> loss.cause() == Loss.Cause.EXPIRED);
    boolean once = told.size() == seen.losses() && seen.lossEvents() == seen.losses();
    boolean right = !told.isEmpty() && expired && once;
    add(right, "losses reported", of(told.size(), seen.losses()), "to the machine that stopped");
  }

  private void addWrites(SharedCounter guarded, SharedCounter unguarded) {
    // The counter without a guard takes every write, so it knows how many stale ones there were.
    int stale = unguarded.staleTaken();
    boolean refused = stale > 0 && guarded.staleRefused() == stale && guarded.staleTaken() == 0;
    add(refused, "stale writes refused", of(guarded.staleRefused(), stale), "by the guard");
    boolean kept = guarded.coins() == guarded.paid();
    add(kept, "coins in the jar", of(guarded.coins(), guarded.paid()), "that were paid in");
  }

  private static String of(int some, int all) {
    return some + " of " + all;
  }

  private void add(boolean right, String what, String value, String note) {
    facts.add(new Fact(right, what, value, note));
  }

  boolean isRight() {
    return facts.stream().allMatch(Fact::right) && eaten() > 0;
  }

  /** What stale writes took out of the counter that has no guard; nothing would prove nothing. */
  private int eaten() {
    return stage.unguarded.paid() - stage.unguarded.coins();
  }

  void print(DemoScreen screen, DemoStyle look) {
    screen.line("");
    screen.line(look.paint(Paint.BOLD, "What came of it"));
    for (Fact fact : facts) {
      Paint paint = fact.right ? Paint.GREEN : Paint.RED;
      String sign = look.pick(fact.right ? "✓" : "✗", fact.right ? "ok" : "NO");
      String text = String.format(Locale.ROOT, "%-26s%9s   ", fact.what, fact.value);
      screen.line("  " + look.paint(paint, sign) + " " + text + look.paint(Paint.DIM, fact.note));
    }
    String without = of(stage.unguarded.coins(), stage.unguarded.paid());
    String text = String.format(Locale.ROOT, "%-26s%9s   ", "in one without a guard", without);
    String sign = look.paint(Paint.YELLOW, look.pick("!", " !"));
    screen.line("  " + sign + " " + text + look.paint(Paint.DIM, "stale writes ate " + eaten()));
    screen.line("");
    String end = isRight() ? "All as it must be" : "SOMETHING IS WRONG";
    screen.line(String.format(Locale.ROOT, "%s, in %.1f s.", end, stage.timeline.elapsed()));
  }
}
