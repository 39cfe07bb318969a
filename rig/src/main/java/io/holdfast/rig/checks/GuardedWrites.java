package io.holdfast.rig.checks;

import io.holdfast.rig.history.Event;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.Op;
import io.holdfast.rig.history.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that accepted tokens never decrease and are never shared by two holders.
 *
 * <p>A write that was accepted lies somewhere between its two events; one without a start, as the
 * resource itself would write it, lies at its only one. Writes that overlap say nothing about each
 * other's order.
 */
public final class GuardedWrites implements Checker {

  private record Write(Event start, Event accepted) {
    long token() {
      return accepted.token();
    }
  }

  /** Counts the accepted writes. */
  @Override
  public CheckResult check(History history) {
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (List<ClaimHistory> claims : ClaimHistory.byLock(history).values()) {
      List<Write> writes = claims.stream().flatMap(claim -> accepted(claim).stream()).toList();
      checked += writes.size();
      checkOrder(writes, violations);
      checkHolders(writes, violations);
    }
    return new CheckResult("guarded writes", checked, violations);
  }

  private static List<Write> accepted(ClaimHistory claim) {
    List<Write> writes = new ArrayList<>();
    Event start = null;
    for (Event event : claim.events()) {
      if (event.op() == Op.WRITE) {
        if (event.phase() == Phase.OK) {
          writes.add(new Write(start == null ? event : start, event));
        }
        start = event.phase() == Phase.INVOKE ? event : null;
      }
    }
    return writes;
  }

  private static void checkOrder(List<Write> writes, List<Violation> violations) {
    HighestBefore<Write> accepted =
        new HighestBefore<>(writes, write -> write.accepted().nanos(), Write::token);
    for (Write write : writes) {
      accepted
          .before(write.start().nanos())
          .filter(highest -> highest.token() > write.token())
          .ifPresent(highest -> violations.add(stale(highest, write)));
    }
  }

  private static Violation stale(Write highest, Write write) {
    String what =
        "\"%s\" accepted the token %d after %d"
            .formatted(write.accepted().lock(), write.token(), highest.token());
    return violation("stale write", what, highest, write);
  }

  private static void checkHolders(List<Write> writes, List<Violation> violations) {
    Map<Long, Write> first = new HashMap<>();
    for (Write write : writes) {
      Write other = first.putIfAbsent(write.token(), write);
      if (other != null && !other.accepted().hold().equals(write.accepted().hold())) {
        String what =
            "\"%s\" accepted the token %d of two holders"
                .formatted(write.accepted().lock(), write.token());
        violations.add(violation("shared token", what, other, write));
      }
    }
  }

  private static Violation violation(String rule, String what, Write one, Write other) {
    return new Violation(
        rule, what, List.of(one.start(), one.accepted(), other.start(), other.accepted()));
  }
}
