package io.holdfast.ids;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The state of a generator, and how long its ids last.
 *
 * @param status the state in one word
 * @param detail the state for people; contains no secrets
 * @param left how long ids last at the present rate if the store stays unreachable; empty if the
 *     generator needs no store, or asks it for every id
 * @param warnings problems that an operator should fix
 */
public record Supply(Status status, String detail, Optional<Duration> left, List<String> warnings) {

  public Supply {
    warnings = List.copyOf(warnings);
  }

  /** The state of a generator. */
  public enum Status {
    /** Ids are available. */
    UP,
    /** Ids are available, but not for ever: see the warnings. */
    WARN,
    /** No ids are available. */
    DOWN,
    /** The generator is closed. */
    CLOSED
  }
}
