package io.holdfast.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A holder is told of a loss exactly once, at the latest a bound after its deadline, and never
 * after a clean release; and a loss is final.
 *
 * <p>A hold is lost when its last known deadline passes before its release begins, or when its
 * release says so; then the bound counts from what the release was answered. A killed process need
 * not be told; one that was paused or cut off may be told late, and not at all if it never came
 * back.
 */
public final class LossNotices implements Checker {
  /** By when a loss must be told. */
  public static final Duration DEFAULT_BOUND = Duration.ofMillis(50);

  private final long bound;

  /** With the bound of 50 ms. */
  public LossNotices() {
    this(DEFAULT_BOUND);
  }

  /** With another bound: on a busy machine a test may allow five times as much. */
  public LossNotices(Duration bound) {
    this.bound = bound.toNanos();
  }

  /** Counts the holds that it looked at. */
  @Override
  public Verdict check(History history) {
    Map<String, Long> lastSeen = new HashMap<>();
    for (Event event : history.events()) {
      if (event.op() != Op.STALLED && event.op() != Op.KILLED) {
        lastSeen.put(event.process(), event.nanos());
      }
    }
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (List<Claim> claims : Claim.byLock(history).values()) {
      for (Claim claim : claims) {
        if (claim.grant().isPresent() || claim.at(Op.LOST) != Claim.NEVER) {
          checked++;
          String process = claim.events().get(0).process();
          judge(claim, history.end(), lastSeen.getOrDefault(process, 0L), violations);
        }
      }
    }
    return new Verdict("loss notices", checked, violations);
  }

  private void judge(Claim claim, long end, long lastSeen, List<Violation> violations) {
    long notices = claim.events().stream().filter(event -> event.op() == Op.LOST).count();
    if (notices == 0) {
      if (mustHaveBeenTold(claim, end, lastSeen)) {
        add(violations, claim, "no notice", "was lost and never told so");
      }
      return;
    }
    if (notices > 1) {
      add(violations, claim, "several notices", "was told %d times".formatted(notices));
    }
    if (claim.grant().isEmpty()) {
      add(violations, claim, "notice without a hold", "was told of a loss but never granted");
    }
    if (claim.at(Op.RELEASE, Phase.OK) != Claim.NEVER) {
      add(violations, claim, "notice after release", "was released cleanly and told of a loss");
    }
    long knowable = knowable(claim);
    long late = claim.at(Op.LOST) - knowable;
    if (knowable != Claim.NEVER && late > bound && !wasStalled(claim)) {
      add(
          violations,
          claim,
          "late notice",
          "was told " + Violation.millis(late) + " past its deadline, or its release's answer");
    }
    if (believedAfter(claim, claim.at(Op.LOST))) {
      add(violations, claim, "loss is final", "believed again after it was told of its loss");
    }
  }

  private boolean mustHaveBeenTold(Claim claim, long end, long lastSeen) {
    boolean foundLost = claim.at(Op.RELEASE, Phase.FAIL) != Claim.NEVER;
    long deadline = deadline(claim);
    long due = deadline == Claim.NEVER ? Claim.NEVER : deadline + bound;
    boolean expired = claim.at(Op.RELEASE) > deadline && due < end;
    boolean dead = claim.killedAt() < due;
    long stalled = claim.stalledAfter(claim.at(Op.ACQUIRE, Phase.OK));
    boolean neverCameBack = stalled != Claim.NEVER && lastSeen <= stalled;
    return (foundLost || expired) && !dead && !neverCameBack;
  }

  /**
   * When the loss could be known: at the deadline; or, for a holder that had stopped believing
   * before, because its release was under way, when the answer to that said so.
   */
  private static long knowable(Claim claim) {
    long deadline = deadline(claim);
    long foundLost = claim.at(Op.RELEASE, Phase.FAIL);
    boolean releasing = claim.at(Op.RELEASE) < deadline && foundLost != Claim.NEVER;
    return releasing ? Math.max(deadline, foundLost) : deadline;
  }

  /** The last one that the holder knew before it was told anything else. */
  private static long deadline(Claim claim) {
    long lost = claim.at(Op.LOST);
    return claim.events().stream()
        .filter(event -> event.op() == Op.HELD || event.is(Op.ACQUIRE, Phase.OK))
        .filter(event -> event.nanos() <= lost)
        .mapToLong(Event::deadline)
        .reduce(Claim.NEVER, (before, after) -> after);
  }

  private static boolean wasStalled(Claim claim) {
    return claim.stalledAfter(claim.at(Op.ACQUIRE, Phase.OK)) <= claim.at(Op.LOST);
  }

  private static boolean believedAfter(Claim claim, long nanos) {
    return claim.events().stream()
        .anyMatch(event -> event.op() == Op.HELD && event.nanos() > nanos);
  }

  private static void add(List<Violation> all, Claim claim, String rule, String what) {
    all.add(
        new Violation(
            rule, "%s of \"%s\" %s".formatted(claim, claim.lock(), what), Claim.evidence(claim)));
  }
}
