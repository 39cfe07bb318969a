package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Loss;
import java.util.List;
import java.util.Optional;

/**
 * Something came, but not in time, which against a real server may be the fault of a busy machine
 * alone. Of all failed assertions this is the only one that a second run can excuse.
 */
final class TooLate extends AssertionError {

  private static final long serialVersionUID = 1;

  TooLate(String message) {
    super(message);
  }

  /** Fails if it is not held; one that expired was renewed too late, all else is wrong. */
  static void requireHeld(Hold hold, String what) {
    if (isExpired(hold)) {
      throw new TooLate(what + " has expired: " + hold.loss());
    }
    assertThat(hold.isHeld()).as(what).isTrue();
  }

  /**
   * Fails if a rival was granted beside holders that exclude it, and says which it was: that one of
   * them had expired, so it was renewed too late, or that all of them believe.
   */
  static void requireRefused(Optional<Hold> rival, List<Hold> holders, String what) {
    if (rival.isEmpty()) {
      return;
    }
    // Asked after the grant: one that believes now has believed beside it.
    List<String> states = holders.stream().map(TooLate::state).toList();
    boolean expired = holders.stream().anyMatch(TooLate::isExpired);
    String said = what + " was granted token " + rival.get().token() + " beside " + states;
    rival.get().close();
    throw expired ? new TooLate(said) : new AssertionError(said);
  }

  private static boolean isExpired(Hold hold) {
    return hold.loss().filter(loss -> loss.cause() == Loss.Cause.EXPIRED).isPresent();
  }

  private static String state(Hold hold) {
    return "token "
        + hold.token()
        + (hold.isHeld() ? ", which believes" : ", lost: " + hold.loss());
  }
}
