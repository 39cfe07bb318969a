package io.holdfast.spi;

import java.time.Duration;

/** What the store says to a holder that wants to stay. */
public sealed interface Renewal {

  /**
   * The lease runs anew, or on.
   *
   * @param validFor what the store promised, counted from this call
   * @param wanted whether another ticket waits for the resource
   */
  record Renewed(Duration validFor, boolean wanted) implements Renewal {}

  /**
   * The ticket is not in, for good.
   *
   * @param reason for people; an operator's words when revoked, else empty
   */
  record Gone(Cause cause, String reason) implements Renewal {}

  /** Why a ticket is gone. */
  enum Cause {
    /** The store does not know it: it expired, was deleted or another is in. */
    UNKNOWN_TICKET,
    /** An operator took it away. */
    REVOKED,
    /** The session or connection that it lived on is over. */
    SESSION_OVER
  }
}
