package io.holdfast.rig.checks;

import io.holdfast.rig.history.History;
import io.holdfast.rig.history.Op;
import io.holdfast.rig.history.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that grants of order FIFO follow the order of acknowledged joins. If A's place was
 * acknowledged before B requested one, then A is granted before B, unless A left, died, or was
 * paused or cut off before that.
 *
 * <p>Looks at claims whose history has {@link Op#ENQUEUE} events.
 */
public final class FifoOrder implements Checker {
  private final long slack;

  /** For exclusive locks, where the order of the grants is seen exactly. */
  public FifoOrder() {
    this(Duration.ZERO);
  }

  /**
   * For locks that let several in, too: two that are granted together may be notified in either
   * order.
   *
   * @param slack by how much later than B A may be notified of its grant
   */
  public FifoOrder(Duration slack) {
    this.slack = slack.toNanos();
  }

  /** Counts the grants that it looked at. */
  @Override
  public CheckResult check(History history) {
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (List<ClaimHistory> claims : ClaimHistory.byLock(history).values()) {
      List<ClaimHistory> placed =
          claims.stream()
              .filter(claim -> claim.at(Op.ENQUEUE, Phase.OK) != ClaimHistory.NEVER)
              .toList();
      HighestBefore<ClaimHistory> longestInLine =
          new HighestBefore<>(placed, a -> a.at(Op.ENQUEUE, Phase.OK), this::inLineUntil);
      for (ClaimHistory b : claims) {
        if (b.at(Op.ENQUEUE) != ClaimHistory.NEVER && b.grant().isPresent()) {
          checked++;
          longestInLine
              .before(b.at(Op.ENQUEUE))
              .filter(a -> inLineUntil(a) > b.at(Op.ACQUIRE, Phase.OK))
              .ifPresent(a -> violations.add(overtaken(a, b)));
        }
      }
    }
    return new CheckResult("fifo order", checked, violations);
  }

  /** Until when nobody behind it may be granted. */
  private long inLineUntil(ClaimHistory claim) {
    long granted = claim.at(Op.ACQUIRE, Phase.OK);
    return Math.min(
        granted == ClaimHistory.NEVER ? ClaimHistory.NEVER : granted - slack, claim.gaveUpAt());
  }

  private static Violation overtaken(ClaimHistory a, ClaimHistory b) {
    String what =
        "%s of \"%s\" was granted before %s, which had its place before".formatted(b, b.lock(), a);
    return new Violation("fifo order", what, ClaimHistory.evidence(a, b));
  }
}
