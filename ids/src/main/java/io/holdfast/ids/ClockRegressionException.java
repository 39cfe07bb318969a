package io.holdfast.ids;

import java.time.Duration;

/**
 * The clock went back by more than is tolerated, or stands still. No id is made until it has caught
 * up: an id with a time that was used before could be one that was made before.
 */
public final class ClockRegressionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Duration behind;

  ClockRegressionException(String message, Duration behind) {
    super(message);
    this.behind = behind;
  }

  /** How far the clock is behind the last id. */
  public Duration behind() {
    return behind;
  }
}
