package io.holdfast.ids;

import java.time.Duration;

/**
 * The clock went back by more than the tolerance, or stands still.
 *
 * <p>No id is generated until the clock has caught up: an id with an earlier time could repeat an
 * earlier id.
 */
public final class ClockRegressionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Duration behind;

  /** Creates an exception; generators throw it. */
  public ClockRegressionException(String message, Duration behind) {
    super(message);
    this.behind = behind;
  }

  /** Returns how far the clock is behind the last id. */
  public Duration behind() {
    return behind;
  }
}
