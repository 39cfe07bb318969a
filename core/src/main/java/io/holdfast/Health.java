package io.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a client and its store are.
 *
 * @param detail for people; names the store and the last failure, without secrets
 * @param held how many claims this client holds
 * @param waiting how many callers wait
 * @param lastAnswer how long ago the store answered, if it ever did
 * @param warnings what somebody should mend before it costs a lock
 * @param counters what happened at the engine so far, by names that its page explains
 */
public record Health(
    Status status,
    String detail,
    int held,
    int waiting,
    Optional<Duration> lastAnswer,
    List<String> warnings,
    Map<String, Long> counters) {

  public Health {
    warnings = List.copyOf(warnings);
    counters = Map.copyOf(counters);
  }

  /** In one word. */
  public enum Status {
    /** The store answers. */
    UP,
    /** The store answers, but it is set up in a way that can cost a lock: see the warnings. */
    WARN,
    /** The store does not answer. */
    DOWN,
    /** The client is closed. */
    CLOSED
  }
}
