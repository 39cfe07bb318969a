package io.holdfast.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * First come, first served: if A's place was acknowledged before B asked for one, then A is granted
 * before B, unless A left, died, or was paused or cut off before that.
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
   * For locks that let several in, too: two that are let in together may hear of it in either
   * order.
   *
   * @param slack by how much A may hear of its grant after B
   */
  public FifoOrder(Duration slack) {
    this.slack = slack.toNanos();
  }

  /** Counts the grants that it looked at. */
  @Override
  public Verdict check(History history) {
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (List<Claim> claims : Claim.byLock(history).values()) {
      List<Claim> placed =
          claims.stream().filter(claim -> claim.at(Op.ENQUEUE, Phase.OK) != Claim.NEVER).toList();
      HighestBefore<Claim> longestInLine =
          new HighestBefore<>(placed, a -> a.at(Op.ENQUEUE, Phase.OK), this::inLineUntil);
      for (Claim b : claims) {
        if (b.at(Op.ENQUEUE) != Claim.NEVER && b.grant().isPresent()) {
          checked++;
          longestInLine
              .before(b.at(Op.ENQUEUE))
              .filter(a -> inLineUntil(a) > b.at(Op.ACQUIRE, Phase.OK))
              .ifPresent(a -> violations.add(overtaken(a, b)));
        }
      }
    }
    return new Verdict("fifo order", checked, violations);
  }

  /** Until when nobody behind it may be granted. */
  private long inLineUntil(Claim claim) {
    long granted = claim.at(Op.ACQUIRE, Phase.OK);
    return Math.min(granted == Claim.NEVER ? Claim.NEVER : granted - slack, claim.gaveUpAt());
  }

  private static Violation overtaken(Claim a, Claim b) {
    String what =
        "%s of \"%s\" was granted before %s, which had its place before".formatted(b, b.lock(), a);
    return new Violation("fifo order", what, Claim.evidence(a, b));
  }
}
