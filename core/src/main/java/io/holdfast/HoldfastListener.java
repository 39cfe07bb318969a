package io.holdfast;

import java.time.Duration;

/**
 * Receives the events of a client, for metrics.
 *
 * <p>Called on the thread on which an event happens, so it must be quick and must not block.
 * Exceptions that it throws are logged and ignored.
 *
 * <p>Events carry a {@linkplain Event#tag() tag}, never a raw name: the number of tags is the
 * number of templates in the program, however many names there are.
 */
@FunctionalInterface
public interface HoldfastListener {

  /** A listener that does nothing. */
  HoldfastListener NONE = event -> {};

  /** Receives one event. */
  void on(Event event);

  /** Returns a listener that calls this one, then another. */
  default HoldfastListener and(HoldfastListener next) {
    return event -> {
      on(event);
      next.on(event);
    };
  }

  /** An event. */
  sealed interface Event {

    /** Returns the template of the lock's name, such as {@code orders/{}}, or {@code untagged}. */
    String tag();

    /** Returns what the event is about. */
    Kind kind();
  }

  /**
   * An acquire succeeded.
   *
   * @param waited the time from the call to the grant
   * @param handedOver whether another thread of this client handed it over without a store call
   */
  record Acquired(String tag, Kind kind, Duration waited, boolean handedOver) implements Event {}

  /**
   * An acquire ended without a hold.
   *
   * @param waited the time from the call to its end
   */
  record NotAcquired(String tag, Kind kind, Why why, Duration waited) implements Event {}

  /** A hold was released. */
  record Released(String tag, Kind kind, Outcome outcome, Duration held) implements Event {}

  /** A hold was lost; sent exactly once for each loss. */
  record Lost(String tag, Kind kind, Loss.Cause cause, Duration held) implements Event {}

  /** A renewal got no reply; the hold stands until its deadline. */
  record RenewalFailed(String tag, Kind kind, String failure) implements Event {}

  /** A lane got no reply in time: its verbs are unknown and its connection is replaced. */
  record LaneReplaced(String tag, String lane) implements Event {

    @Override
    public Kind kind() {
      return Kind.CLIENT;
    }
  }

  /** Why an acquire ended without a hold. */
  enum Why {
    /** The store reported busy. */
    BUSY,
    /** The store did not reply. */
    UNAVAILABLE,
    /** An attempt is in doubt. */
    UNKNOWN,
    /** Waiting would not have helped. */
    REFUSED,
    /** Too many attempts are queued already. */
    OVERLOADED,
    /** The caller was interrupted or cancelled the acquire. */
    CANCELLED,
    /** The client was closed. */
    CLOSED
  }
}
