package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Loss;
import java.util.Collection;
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
    boolean expired = hold.loss().filter(loss -> loss.cause() == Loss.Cause.EXPIRED).isPresent();
    if (expired) {
      throw new TooLate(what + " has expired: " + hold.loss());
    }
    assertThat(hold.isHeld()).as(what).isTrue();
  }

  /**
   * Fails if a rival got in beside holders, and says whether that was wrong. They are asked after
   * the grant: if all of them still believe, too many hold it at once. A holder that has expired
   * was renewed too late, and its rival came in rightly.
   */
  static void requireExcluded(Optional<Hold> rival, Collection<Hold> holders, String what) {
    if (rival.isEmpty()) {
      return;
    }
    List<Loss> losses = holders.stream().flatMap(hold -> hold.loss().stream()).toList();
    String granted = what + " got in, with the token " + rival.get().token();
    rival.get().close();
    if (losses.isEmpty()) {
      throw new AssertionError(granted + ", while all of " + holders + " believe to hold it");
    }
    if (losses.stream().anyMatch(loss -> loss.cause() != Loss.Cause.EXPIRED)) {
      throw new AssertionError(granted + ", as a holder was lost: " + losses);
    }
    throw new TooLate(granted + ", as a holder has expired: " + losses);
  }

  /** As {@link #requireExcluded(Optional, Collection, String)}, beside one holder. */
  static void requireExcluded(Optional<Hold> rival, Hold holder, String what) {
    requireExcluded(rival, List.of(holder), what);
  }
}
