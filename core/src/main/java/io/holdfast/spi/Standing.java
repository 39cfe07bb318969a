package io.holdfast.spi;

import java.time.Duration;
import java.util.Optional;

/** Where a ticket stands, as the store reported it to an attempt. */
public sealed interface Standing {

  /**
   * The ticket is granted.
   *
   * @param token as {@link Token#of} creates it; the same at every repetition
   * @param validFor what the store promised, counted from this call
   * @param wanted whether another ticket waits for the resource
   */
  record Granted(long token, Duration validFor, boolean wanted) implements Standing {}

  /**
   * The ticket is not granted. If it {@link Ticket#waits()}, it stands in the line, and this
   * attempt renewed its place.
   *
   * @param ahead at most this many tickets are ahead of it; 0 when the order keeps no line
   * @param retryAfter attempt again after this time at the latest; zero: the signal is armed now,
   *     look again at once
   * @param holder a holder, if the store reports it
   */
  record Waiting(int ahead, Duration retryAfter, Optional<Holder> holder) implements Standing {}

  /**
   * The run of this period is done: its mark outlives its client.
   *
   * @param left how long the mark stays
   */
  record Done(Duration left) implements Standing {}

  /**
   * A holder, for display.
   *
   * @param remaining how long the store keeps its ticket without a renewal
   */
  record Holder(Owner owner, long token, Duration remaining) {

    @Override
    public String toString() {
      return owner + " with token " + token;
    }
  }
}
