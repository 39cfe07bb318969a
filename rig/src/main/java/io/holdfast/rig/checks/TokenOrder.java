package io.holdfast.rig.checks;

import io.holdfast.rig.history.Event;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.Op;
import io.holdfast.rig.history.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Tokens of a lock grow with every exclusive grant and are never given twice.
 *
 * <p>A claim that takes the whole capacity is exclusive; two claims that are not say nothing about
 * each other. A claim that is granted again, after a lost reply for instance, keeps its token.
 */
public final class TokenOrder implements Checker {
  private final Capacities capacities;
  private final ToLongFunction<ClaimHistory> since;

  private TokenOrder(Capacities capacities, ToLongFunction<ClaimHistory> since) {
    this.capacities = capacities;
    this.since = since;
  }

  /**
   * A grant exceeds all that were received before it was *asked* for. Always true of a right lock,
   * also where a lost write or a clock step let two in; says little about claims that waited long.
   */
  public static TokenOrder byRequest(Capacities capacities) {
    return new TokenOrder(capacities, TokenOrder::askedAt);
  }

  /**
   * A grant exceeds all that were received before it was *received*. Sharper, but true only where
   * exclusion holds: otherwise a late reply can make two grants look reversed.
   */
  public static TokenOrder byGrant(Capacities capacities) {
    // A grant that was over before its reply came proves no order: the next may have been granted
    // meanwhile.
    return new TokenOrder(
        capacities, claim -> HeldInterval.of(claim).isEmpty() ? askedAt(claim) : receivedAt(claim));
  }

  /** Counts the grants that it looked at. */
  @Override
  public CheckResult check(History history) {
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (List<ClaimHistory> claims : ClaimHistory.byLock(history).values()) {
      claims.forEach(claim -> checkOneToken(claim, violations));
      List<ClaimHistory> granted =
          claims.stream().filter(claim -> claim.grant().isPresent()).toList();
      checked += granted.size();
      checkUnique(granted, violations);
      checkOrder(granted, violations);
    }
    return new CheckResult("token order", checked, violations);
  }

  private static void checkOneToken(ClaimHistory claim, List<Violation> violations) {
    long tokens =
        claim.events().stream()
            .filter(event -> event.is(Op.ACQUIRE, Phase.OK))
            .mapToLong(Event::token)
            .distinct()
            .count();
    if (tokens > 1) {
      String what =
          "%s of \"%s\" was granted with %d tokens".formatted(claim, claim.lock(), tokens);
      violations.add(new Violation("one token a claim", what, ClaimHistory.evidence(claim)));
    }
  }

  private void checkUnique(List<ClaimHistory> granted, List<Violation> violations) {
    Map<Long, ClaimHistory> owners = new HashMap<>();
    for (ClaimHistory claim : granted) {
      ClaimHistory other = owners.putIfAbsent(token(claim), claim);
      if (other != null && (isExclusive(claim) || isExclusive(other))) {
        String what =
            "%s and %s of \"%s\" both got the token %d"
                .formatted(other, claim, claim.lock(), token(claim));
        violations.add(new Violation("unique token", what, ClaimHistory.evidence(other, claim)));
      }
    }
  }

  private void checkOrder(List<ClaimHistory> granted, List<Violation> violations) {
    HighestBefore<ClaimHistory> all =
        new HighestBefore<>(granted, TokenOrder::receivedAt, TokenOrder::token);
    HighestBefore<ClaimHistory> exclusive =
        new HighestBefore<>(
            granted.stream().filter(this::isExclusive).toList(),
            TokenOrder::receivedAt,
            TokenOrder::token);
    for (ClaimHistory claim : granted) {
      (isExclusive(claim) ? all : exclusive)
          .before(since.applyAsLong(claim))
          .filter(bar -> token(bar) > token(claim))
          .ifPresent(bar -> violations.add(reversed(bar, claim)));
    }
  }

  private static Violation reversed(ClaimHistory bar, ClaimHistory claim) {
    String what =
        "%s of \"%s\" got the token %d after %s had got %d"
            .formatted(claim, claim.lock(), token(claim), bar, token(bar));
    return new Violation("token order", what, ClaimHistory.evidence(bar, claim));
  }

  private boolean isExclusive(ClaimHistory claim) {
    return claim.weight() >= capacities.of(claim.lock());
  }

  private static long askedAt(ClaimHistory claim) {
    return Math.min(claim.at(Op.ACQUIRE, Phase.INVOKE), receivedAt(claim));
  }

  private static long receivedAt(ClaimHistory claim) {
    return claim.at(Op.ACQUIRE, Phase.OK);
  }

  private static long token(ClaimHistory claim) {
    return claim.grant().map(Event::token).orElse(Event.NO_TOKEN);
  }
}
