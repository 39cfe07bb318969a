package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.tck.TooLateError;
import java.util.List;
import java.util.Optional;

/** Assertions about holds that distinguish a late renewal from a wrong grant. */
final class HoldAssertions {

  private HoldAssertions() {}

  /** Fails unless the hold is held; an expired hold was renewed too late, all else is wrong. */
  static void requireHeld(Hold hold, String what) {
    if (hold.isHeld()) {
      return;
    }
    if (isOverdue(hold)) {
      throw new TooLateError(what + " has expired: " + hold.loss());
    }
    throw new AssertionError(what + " was lost: " + hold.loss());
  }

  /** Releases the hold, as {@link #requireReleased(Hold, Outcome)}. */
  static void requireReleased(Hold hold) {
    requireReleased(hold, hold.release());
  }

  /** Fails unless the hold was released; no reply, or an expired hold, came too late. */
  static void requireReleased(Hold hold, Outcome outcome) {
    if (outcome == Outcome.UNKNOWN || (outcome == Outcome.LOST && isExpired(hold))) {
      throw new TooLateError("the release of " + hold + " returned " + outcome);
    }
    assertThat(outcome).as("the release of %s", hold).isEqualTo(Outcome.RELEASED);
  }

  /**
   * Fails if a rival was granted a lock together with holders that exclude it. If one of them has
   * expired, it was renewed too late; if all of them believe in their hold, the grant was wrong.
   */
  static void requireRefused(Optional<Hold> rival, List<Hold> holders, String what) {
    if (rival.isEmpty()) {
      return;
    }
    // Read after the grant: a holder that believes now also believed at the time of the grant.
    boolean expired = holders.stream().anyMatch(HoldAssertions::isOverdue);
    List<String> states = holders.stream().map(HoldAssertions::state).toList();
    String message =
        what + " was granted token " + rival.get().token() + " at the same time as " + states;
    rival.get().close();
    throw expired ? new TooLateError(message) : new AssertionError(message);
  }

  /** Returns whether the hold was lost because no renewal was confirmed in time. */
  static boolean isExpired(Hold hold) {
    return hold.loss().filter(loss -> loss.cause() == Loss.Cause.EXPIRED).isPresent();
  }

  /**
   * Returns whether a hold that was not released is past its deadline. Its loss is reported up to
   * 50 ms later, so there may be none yet.
   */
  private static boolean isOverdue(Hold hold) {
    return !hold.isHeld() && (hold.loss().isEmpty() || isExpired(hold));
  }

  private static String state(Hold hold) {
    return "token "
        + hold.token()
        + (hold.isHeld() ? ", which believes" : ", lost: " + hold.loss());
  }
}
