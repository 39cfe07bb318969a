package io.holdfast.spi;

import java.time.Duration;

/** The store's reply to a renewal. */
public sealed interface Renewal {

  /**
   * The lease was renewed.
   *
   * @param validFor what the store promised, counted from this call
   * @param wanted whether another ticket waits for the resource
   */
  record Renewed(Duration validFor, boolean wanted) implements Renewal {}

  /**
   * The ticket is not granted any more, for good.
   *
   * @param reason a description for people; an operator's words when revoked, else empty
   */
  record Gone(Cause cause, String reason) implements Renewal {}

  /** Why a ticket is gone. */
  enum Cause {
    /** The store does not know it: it expired, was deleted, or another ticket is granted. */
    UNKNOWN_TICKET,
    /** An operator took it away. */
    REVOKED,
    /** The session or connection that it lived on has ended. */
    SESSION_OVER
  }
}
