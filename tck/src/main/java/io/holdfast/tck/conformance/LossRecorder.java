package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records when a holder is notified of the loss of its hold. */
final class LossRecorder {

  private static final Duration NOTIFIED = Duration.ofMillis(50);
  private static final int TOLERANCE = 5;

  private final KitTime time;
  private final Hold hold;
  private final List<Long> losses = new CopyOnWriteArrayList<>();
  private final List<Long> warnings = new CopyOnWriteArrayList<>();

  LossRecorder(KitTime time, Hold hold) {
    this.time = time;
    this.hold = hold;
    hold.onLoss(loss -> losses.add(time.now()));
    hold.onExpiring(hold.remaining().dividedBy(3), () -> warnings.add(time.now()));
  }

  /** Checks a warning, then one loss: at the deadline, and before the rival was granted. */
  void checkLostOnceBefore(long rivalIn, long deadline) {
    checkLostOnce();
    long reported = losses.get(0);
    assertThat(reported - rivalIn)
        .as("loss reported after the rival was granted, in ns")
        .isLessThanOrEqualTo(0);
    if (time.isManual()) {
      assertThat(reported - deadline)
          .as("loss reported late, in ns")
          .isLessThanOrEqualTo(NOTIFIED.toNanos());
    } else {
      KitOutput.print("loss reported", Duration.ofNanos(reported - deadline), NOTIFIED);
      if (reported - deadline >= NOTIFIED.toNanos() * TOLERANCE) {
        throw new TooLateError("loss reported " + (reported - deadline) + " ns late");
      }
    }
    assertThat(warnings).as("warnings").hasSize(1);
    assertThat(warnings.get(0) - reported).as("warned after the loss").isLessThan(0);
  }

  void checkLostOnce() {
    time.until("the loss is reported", Duration.ofSeconds(1), () -> !losses.isEmpty());
    checkNoMore();
  }

  /** Checks that there is still exactly one loss. */
  void checkNoMore() {
    assertThat(losses).as("reported losses").hasSize(1);
  }

  /**
   * Checks that neither a warning nor a loss was reported; an expired hold was renewed too late.
   */
  void checkNothing() {
    if (HoldAssertions.isExpired(hold)) {
      throw new TooLateError("the hold has expired: " + hold.loss());
    }
    assertThat(losses).isEmpty();
    if (!warnings.isEmpty()) {
      throw new TooLateError("a renewal came so late that the holder was warned");
    }
  }
}
