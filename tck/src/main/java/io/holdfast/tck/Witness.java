package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hears what a holder is told of its hold, and when. */
final class Witness {

  private static final Duration TOLD = Duration.ofMillis(50);
  private static final int TOLERANCE = 5;

  private final StageTime time;
  private final List<Long> losses = new CopyOnWriteArrayList<>();
  private final List<Long> warnings = new CopyOnWriteArrayList<>();

  Witness(StageTime time, Hold hold) {
    this.time = time;
    hold.onLoss(loss -> losses.add(time.now()));
    hold.onExpiring(hold.remaining().dividedBy(3), () -> warnings.add(time.now()));
  }

  /** Warned, then told, by the deadline and a little, and before the rival was in. */
  void checkLostOnceBefore(long rivalIn, long deadline) {
    checkLostOnce();
    long told = losses.get(0);
    assertThat(told - rivalIn).as("told after the rival was in, in ns").isLessThanOrEqualTo(0);
    if (time.isManual()) {
      assertThat(told - deadline).as("ns late").isLessThanOrEqualTo(TOLD.toNanos());
    } else {
      Figures.print("told of the loss", Duration.ofNanos(told - deadline), TOLD);
      if (told - deadline >= TOLD.toNanos() * TOLERANCE) {
        throw new TooLate("told of the loss " + (told - deadline) + " ns late");
      }
    }
    assertThat(warnings).as("warnings").hasSize(1);
    assertThat(warnings.get(0) - told).as("warned after it was told").isLessThan(0);
  }

  void checkLostOnce() {
    time.until("the loss is told", Duration.ofSeconds(1), () -> !losses.isEmpty());
    checkNoMore();
  }

  /** Still told exactly once. */
  void checkNoMore() {
    assertThat(losses).as("times told").hasSize(1);
  }

  /** Not told anything. */
  void checkNothing() {
    assertThat(losses).isEmpty();
    assertThat(warnings).isEmpty();
  }
}
