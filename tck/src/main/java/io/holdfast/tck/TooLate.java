package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Loss;

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
    boolean expired = hold.loss().filter(loss -> loss.cause() == Loss.Cause.EXPIRED).isPresent();
    if (expired) {
      throw new TooLate(what + " has expired: " + hold.loss());
    }
    assertThat(hold.isHeld()).as(what).isTrue();
  }
}
