package io.holdfast.rig.checks;

import io.holdfast.rig.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * At no instant do more believe that they hold a lock than it lets in.
 *
 * <p>A belief lasts from the grant to the earliest of the deadline, the start of the release, the
 * loss notice and the death of its process.
 */
public final class Overlap implements Checker {
  private final Capacities capacities;

  /** Every lock is exclusive. */
  public Overlap() {
    this(Capacities.mutexes());
  }

  /** For semaphores and read/write locks too. */
  public Overlap(Capacities capacities) {
    this.capacities = capacities;
  }

  /** Counts the beliefs that it looked at. */
  @Override
  public CheckResult check(History history) {
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (List<ClaimHistory> claims : ClaimHistory.byLock(history).values()) {
      List<HeldInterval> beliefs =
          claims.stream()
              .flatMap(claim -> HeldInterval.of(claim).stream())
              .sorted(Comparator.comparingLong(HeldInterval::from))
              .toList();
      checked += beliefs.size();
      violations.addAll(sweep(beliefs));
    }
    return new CheckResult("overlap", checked, violations);
  }

  private List<Violation> sweep(List<HeldInterval> beliefs) {
    List<Violation> violations = new ArrayList<>();
    List<HeldInterval> in = new ArrayList<>();
    for (HeldInterval next : beliefs) {
      in.removeIf(belief -> belief.until() <= next.from());
      int capacity = capacities.of(next.claim().lock());
      long taken = in.stream().mapToLong(belief -> belief.claim().weight()).sum();
      if (taken + next.claim().weight() > capacity) {
        violations.add(tooMany(next, in, taken, capacity));
      }
      in.add(next);
    }
    return violations;
  }

  private static Violation tooMany(
      HeldInterval next, List<HeldInterval> in, long taken, int capacity) {
    long together = in.stream().mapToLong(HeldInterval::until).max().orElse(next.until());
    ClaimHistory[] all =
        Stream.concat(in.stream(), Stream.of(next))
            .map(HeldInterval::claim)
            .toArray(ClaimHistory[]::new);
    String what =
        "\"%s\" lets in %d, but %s (weight %d) got in while %s (weight %d) still believed; %s"
            .formatted(
                next.claim().lock(),
                capacity,
                next.claim(),
                next.claim().weight(),
                in.stream().map(HeldInterval::claim).toList(),
                taken,
                length(Math.min(together, next.until()), next.from()));
    return new Violation("overlap", what, ClaimHistory.evidence(all));
  }

  private static String length(long until, long from) {
    return until == ClaimHistory.NEVER
        ? "both without an end"
        : "together for " + Violation.millis(until - from);
  }
}
