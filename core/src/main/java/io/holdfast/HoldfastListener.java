package io.holdfast;

import java.time.Duration;

/**
 * Hears what a client does, for metrics. Called on the thread on which it happens, so it must be
 * quick and must not block; what it throws is logged and goes no further.
 *
 * <p>Events carry a {@linkplain Event#tag() tag}, never a raw name: the number of tags is the
 * number of templates in the program, however many names there are.
 */
@FunctionalInterface
public interface HoldfastListener {

  /** Hears nothing and costs nothing. */
  HoldfastListener NONE = event -> {};

  /** Takes one event. */
  void on(Event event);

  /** This one, then another. */
  default HoldfastListener and(HoldfastListener next) {
    return event -> {
      on(event);
      next.on(event);
    };
  }

  /** Something that happened. */
  sealed interface Event {

    /** The template of the lock's name, such as {@code orders/{}}, or {@code untagged}. */
    String tag();
  }

  /**
   * An acquire succeeded.
   *
   * @param waited from the call to the grant
   * @param handedOver whether it came from another thread of this client without a store call
   */
  record Acquired(String tag, Duration waited, boolean handedOver) implements Event {}

  /**
   * An acquire ended without a hold.
   *
   * @param waited from the call to its end
   */
  record NotAcquired(String tag, Why why, Duration waited) implements Event {}

  /** A hold was given back. */
  record Released(String tag, Outcome outcome, Duration held) implements Event {}

  /** A hold was lost; exactly once for each loss. */
  record Lost(String tag, Loss.Cause cause, Duration held) implements Event {}

  /** A renewal had no answer; the hold stands until its deadline. */
  record RenewalFailed(String tag, String failure) implements Event {}

  /** A lane had no answer in time: its verbs are unknown and its connection is replaced. */
  record LaneReplaced(String tag, String lane) implements Event {}

  /** Why an acquire ended without a hold. */
  enum Why {
    /** The store said busy. */
    BUSY,
    /** The store said nothing. */
    UNAVAILABLE,
    /** An attempt is in doubt. */
    UNKNOWN,
    /** Waiting would not have helped. */
    REFUSED,
    /** Too much waits already. */
    OVERLOADED,
    /** Interrupted or cancelled. */
    CANCELLED,
    /** The client was closed. */
    CLOSED
  }
}
