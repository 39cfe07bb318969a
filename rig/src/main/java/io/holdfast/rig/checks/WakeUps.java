package io.holdfast.rig.checks;

import io.holdfast.rig.history.History;
import io.holdfast.rig.history.Op;
import io.holdfast.rig.history.Phase;
import io.holdfast.rig.time.Figure;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Measures how long a mutex was free while a waiter existed. It measures from the start of each
 * clean release to the next grant. Releases with nobody in line are left out.
 *
 * <p>A wait that ended without a grant, by a time-out for instance, has no wake-up time; it counts
 * as not woken for at least as long as it lasted after the release.
 */
public final class WakeUps {

  /** How long the lock stood free after the holder's release, and whether a grant ended it. */
  private record Gap(ClaimHistory holder, ClaimHistory waiter, long nanos, boolean woken) {}

  private final List<Gap> gaps;
  private final long[] sorted;

  private WakeUps(List<Gap> gaps) {
    this.gaps = gaps;
    this.sorted = gaps.stream().filter(Gap::woken).mapToLong(Gap::nanos).sorted().toArray();
  }

  /** Measures all releases of a history. */
  public static WakeUps of(History history) {
    List<Gap> gaps = new ArrayList<>();
    for (List<ClaimHistory> claims : ClaimHistory.byLock(history).values()) {
      HighestBefore<ClaimHistory> longestWaiting =
          new HighestBefore<>(
              claims, claim -> claim.at(Op.ACQUIRE, Phase.INVOKE), WakeUps::waitedUntil);
      TreeSet<Long> grants = new TreeSet<>();
      claims.forEach(claim -> claim.grant().ifPresent(grant -> grants.add(grant.nanos())));
      for (ClaimHistory holder : claims) {
        if (holder.at(Op.RELEASE, Phase.OK) != ClaimHistory.NEVER) {
          long released = holder.at(Op.RELEASE);
          Long next = grants.higher(released);
          longestWaiting
              .before(released)
              .filter(waiter -> waitedUntil(waiter) > released)
              .map(
                  waiter ->
                      gap(holder, waiter, next == null ? ClaimHistory.NEVER : next, history.end()))
              .ifPresent(gaps::add);
        }
      }
    }
    return new WakeUps(gaps);
  }

  private static Gap gap(ClaimHistory holder, ClaimHistory waiter, long granted, long end) {
    long gone = Math.min(waitedUntil(waiter), end);
    long until = Math.min(gone, granted);
    return new Gap(holder, waiter, until - holder.at(Op.RELEASE), granted <= gone);
  }

  private static long waitedUntil(ClaimHistory claim) {
    return Math.min(claim.at(Op.ACQUIRE, Phase.OK), claim.gaveUpAt());
  }

  /** How many wake-ups there were. */
  public int count() {
    return sorted.length;
  }

  /** The median; zero if there was none. */
  public Duration p50() {
    return percentile(50);
  }

  /** The 99th percentile; zero if there was none. */
  public Duration p99() {
    return percentile(99);
  }

  /** The longest; zero if there was none. */
  public Duration max() {
    return percentile(100);
  }

  /** No wake-up took longer than the bound, and nobody waited longer than it for a free lock. */
  public CheckResult within(Duration bound) {
    List<Violation> violations =
        gaps.stream()
            .filter(gap -> gap.nanos() > bound.toNanos())
            .map(gap -> tooLate(gap, bound))
            .toList();
    return new CheckResult("wake-up", gaps.size(), violations);
  }

  private static Violation tooLate(Gap gap, Duration bound) {
    String what =
        "\"%s\" was released by %s while %s waited; %s %s later, allowed are %d ms"
            .formatted(
                gap.holder().lock(),
                gap.holder(),
                gap.waiter(),
                gap.woken() ? "the next grant came" : "it had still not been granted",
                Violation.millis(gap.nanos()),
                bound.toMillis());
    return new Violation("wake-up", what, ClaimHistory.evidence(gap.holder(), gap.waiter()));
  }

  /** Fails if the 99th percentile is more than five times the bound. */
  public void requireP99(Duration bound) {
    if (p99().compareTo(bound.multipliedBy(Figure.SLACK)) > 0) {
      throw new TooLateError("a p99 of at most " + bound.toMillis() + " ms was expected: " + this);
    }
  }

  /** The nearest rank. */
  private Duration percentile(int percent) {
    if (sorted.length == 0) {
      return Duration.ZERO;
    }
    int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
    return Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
  }

  /** The figures in one line. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d wake-ups: p50 %.2f ms, p99 %.2f ms, max %.2f ms; %d not woken",
        count(),
        p50().toNanos() / 1e6,
        p99().toNanos() / 1e6,
        max().toNanos() / 1e6,
        gaps.size() - count());
  }
}
