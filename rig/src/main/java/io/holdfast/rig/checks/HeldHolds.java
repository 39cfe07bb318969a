package io.holdfast.rig.checks;

import io.holdfast.Hold;
import io.holdfast.Loss;
import io.holdfast.tck.TooLateError;
import java.util.List;
import java.util.Optional;

/** Asserts that holds are held, and distinguishes late renewals from wrong losses. */
public final class HeldHolds {

  private static final Optional<Loss.Cause> EXPIRED = Optional.of(Loss.Cause.EXPIRED);

  private HeldHolds() {}

  /**
   * Fails unless all holds are held.
   *
   * @throws TooLateError when holds have only expired: a busy machine renewed them too late
   */
  public static void requireAll(List<Hold> holds, String what) {
    List<Hold> lost = holds.stream().filter(hold -> !hold.isHeld()).toList();
    if (lost.isEmpty()) {
      return;
    }
    String message =
        "%,d of %,d %s are not held; the first: %s, %s"
            .formatted(lost.size(), holds.size(), what, lost.get(0), lost.get(0).loss());
    boolean expired = lost.stream().allMatch(hold -> hold.loss().map(Loss::cause).equals(EXPIRED));
    throw expired ? new TooLateError(message) : new AssertionError(message);
  }
}
