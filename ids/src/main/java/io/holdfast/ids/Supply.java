package io.holdfast.ids;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a generator is.
 *
 * @param status in one word
 * @param detail for people, without secrets
 * @param left how long ids last at the present pace if the store stays away; empty if the generator
 *     needs no store, or asks it for every id
 * @param warnings what somebody should mend in time
 */
public record Supply(Status status, String detail, Optional<Duration> left, List<String> warnings) {

  public Supply {
    warnings = List.copyOf(warnings);
  }

  /** In one word. */
  public enum Status {
    /** Ids are made. */
    UP,
    /** Ids are made, but not for ever: see the warnings. */
    WARN,
    /** No ids are made. */
    DOWN,
    /** The generator is closed. */
    CLOSED
  }

  static Supply up(String detail) {
    return new Supply(Status.UP, detail, Optional.empty(), List.of());
  }

  static Supply closed(String detail) {
    return new Supply(Status.CLOSED, detail + " is closed", Optional.empty(), List.of());
  }
}
