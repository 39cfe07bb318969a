package io.holdfast.redis.wire;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection to one of several servers, and from when on the server's word counts.
 *
 * @param votesAt by {@code nanoTime}: when all that it may have forgotten at its start must be over
 */
record Voice(Link link, long votesAt) {

  boolean votes() {
    return votesAt - System.nanoTime() <= 0;
  }

  /** Why it does not vote, or nothing. */
  String note() {
    long left = votesAt - System.nanoTime();
    return left <= 0
        ? ""
        : "started too lately to vote, and does in "
            + (TimeUnit.NANOSECONDS.toMillis(left) + 1)
            + " ms: it may have forgotten grants";
  }

  /** A server that has run for so long, of which it must have run a part before it votes. */
  static Voice of(Link link, Duration uptime, Duration delay) {
    return new Voice(link, System.nanoTime() + delay.minus(uptime).toNanos());
  }
}
