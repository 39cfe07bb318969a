package io.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * How a client and its store are.
 *
 * @param detail for people; names the store and the last failure, without secrets
 * @param held how many claims this client holds
 * @param waiting how many callers wait
 * @param lastAnswer how long ago the store answered, if it ever did
 */
public record Health(
    Status status, String detail, int held, int waiting, Optional<Duration> lastAnswer) {

  /** In one word. */
  public enum Status {
    /** The store answers. */
    UP,
    /** The store does not answer. */
    DOWN,
    /** The client is closed. */
    CLOSED
  }
}
