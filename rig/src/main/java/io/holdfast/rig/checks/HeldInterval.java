package io.holdfast.rig.checks;

import io.holdfast.rig.history.Event;
import io.holdfast.rig.history.Op;
import java.util.ArrayList;
import java.util.List;

/**
 * The interval in which a holder believed that it held the lock. It lasts from the grant to the
 * earliest of deadline, release, loss notice and death. The end does not belong to it.
 */
record HeldInterval(ClaimHistory claim, long from, long until) {

  /**
   * The beliefs of one claim: none if it was never granted, one if all is well, more if it believed
   * again after a deadline had passed.
   */
  static List<HeldInterval> of(ClaimHistory claim) {
    List<HeldInterval> beliefs = new ArrayList<>();
    Event grant = claim.grant().orElse(null);
    if (grant == null) {
      return beliefs;
    }
    long stop = Math.min(claim.killedAt(), Math.min(claim.at(Op.RELEASE), claim.at(Op.LOST)));
    long from = grant.nanos();
    long until = grant.deadline();
    for (Event look : claim.events()) {
      if (look.op() == Op.HELD && look.nanos() >= from && look.nanos() < stop) {
        if (look.nanos() > until) {
          addUnlessEmpty(beliefs, new HeldInterval(claim, from, until));
          from = look.nanos();
        }
        until = Math.max(look.nanos(), look.deadline());
      }
    }
    addUnlessEmpty(beliefs, new HeldInterval(claim, from, Math.min(until, stop)));
    return beliefs;
  }

  private static void addUnlessEmpty(List<HeldInterval> beliefs, HeldInterval belief) {
    if (belief.from() < belief.until()) {
      beliefs.add(belief);
    }
  }
}
