package io.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The condition of a client and its store.
 *
 * @param detail a description for people; names the store and the last failure, without secrets
 * @param held the number of claims that this client holds
 * @param waiting the number of waiting callers
 * @param lastAnswer the time since the store's last reply, if there was one
 * @param warnings what to fix before it costs a lock
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

  /** The condition in one word. */
  public enum Status {
    /** The store replies. */
    UP,
    /** The store replies, but its configuration can cost a lock: see the warnings. */
    WARN,
    /** The store does not reply. */
    DOWN,
    /** The client is closed. */
    CLOSED
  }
}
