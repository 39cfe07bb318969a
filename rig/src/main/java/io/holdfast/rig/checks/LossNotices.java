package io.holdfast.rig.checks;

import io.holdfast.rig.history.Event;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.Op;
import io.holdfast.rig.history.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that each loss is reported exactly once, in time, and is final. In time is at the latest a
 * bound after the deadline; after a clean release there is no report.
 *
 * <p>A hold is lost when its last known deadline passes before its release begins, or when its
 * release says so; then the bound counts from the result of the release. A killed process need not
 * be notified; a process that was paused or cut off may be notified late, and not at all if it
 * never came back.
 */
public final class LossNotices implements Checker {
  /** By when a loss must be reported. */
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
  public CheckResult check(History history) {
    Map<String, Long> lastSeen = new HashMap<>();
    for (Event event : history.events()) {
      if (event.op() != Op.STALLED && event.op() != Op.KILLED) {
        lastSeen.put(event.process(), event.nanos());
      }
    }
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (List<ClaimHistory> claims : ClaimHistory.byLock(history).values()) {
      for (ClaimHistory claim : claims) {
        if (claim.grant().isPresent() || claim.at(Op.LOST) != ClaimHistory.NEVER) {
          checked++;
          String process = claim.events().get(0).process();
          judge(claim, history.end(), lastSeen.getOrDefault(process, 0L), violations);
        }
      }
    }
    return new CheckResult("loss notices", checked, violations);
  }

  private void judge(ClaimHistory claim, long end, long lastSeen, List<Violation> violations) {
    long notices = claim.events().stream().filter(event -> event.op() == Op.LOST).count();
    if (notices == 0) {
      if (mustHaveBeenTold(claim, end, lastSeen)) {
        add(violations, claim, "no notice", "was lost and never notified");
      }
      return;
    }
    if (notices > 1) {
      add(violations, claim, "several notices", "was notified %d times".formatted(notices));
    }
    if (claim.grant().isEmpty()) {
      add(violations, claim, "notice without a hold", "was notified of a loss but never granted");
    }
    if (claim.at(Op.RELEASE, Phase.OK) != ClaimHistory.NEVER) {
      add(violations, claim, "notice after release", "was released cleanly and notified of a loss");
    }
    long knowable = knowable(claim);
    long late = claim.at(Op.LOST) - knowable;
    if (knowable != ClaimHistory.NEVER && late > bound && !wasStalled(claim)) {
      add(
          violations,
          claim,
          "late notice",
          "was notified " + Violation.millis(late) + " past its deadline, or its release's result");
    }
    if (believedAfter(claim, claim.at(Op.LOST))) {
      add(violations, claim, "loss is final", "believed again after it was notified of its loss");
    }
  }

  private boolean mustHaveBeenTold(ClaimHistory claim, long end, long lastSeen) {
    boolean foundLost = claim.at(Op.RELEASE, Phase.FAIL) != ClaimHistory.NEVER;
    long deadline = deadline(claim);
    long due = deadline == ClaimHistory.NEVER ? ClaimHistory.NEVER : deadline + bound;
    boolean expired = claim.at(Op.RELEASE) > deadline && due < end;
    boolean dead = claim.killedAt() < due;
    long stalled = claim.stalledAfter(claim.at(Op.ACQUIRE, Phase.OK));
    boolean neverCameBack = stalled != ClaimHistory.NEVER && lastSeen <= stalled;
    return (foundLost || expired) && !dead && !neverCameBack;
  }

  /**
   * When the loss could be known: at the deadline; or, for a holder that had stopped believing
   * before, because its release was under way, when its result said so.
   */
  private static long knowable(ClaimHistory claim) {
    long deadline = deadline(claim);
    long foundLost = claim.at(Op.RELEASE, Phase.FAIL);
    boolean releasing = claim.at(Op.RELEASE) < deadline && foundLost != ClaimHistory.NEVER;
    return releasing ? Math.max(deadline, foundLost) : deadline;
  }

  /** The last deadline that the holder knew before another event. */
  private static long deadline(ClaimHistory claim) {
    long lost = claim.at(Op.LOST);
    return claim.events().stream()
        .filter(event -> event.op() == Op.HELD || event.is(Op.ACQUIRE, Phase.OK))
        .filter(event -> event.nanos() <= lost)
        .mapToLong(Event::deadline)
        .reduce(ClaimHistory.NEVER, (before, after) -> after);
  }

  private static boolean wasStalled(ClaimHistory claim) {
    return claim.stalledAfter(claim.at(Op.ACQUIRE, Phase.OK)) <= claim.at(Op.LOST);
  }

  private static boolean believedAfter(ClaimHistory claim, long nanos) {
    return claim.events().stream()
        .anyMatch(event -> event.op() == Op.HELD && event.nanos() > nanos);
  }

  private static void add(List<Violation> all, ClaimHistory claim, String rule, String what) {
    all.add(
        new Violation(
            rule,
            "%s of \"%s\" %s".formatted(claim, claim.lock(), what),
            ClaimHistory.evidence(claim)));
  }
}
