package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.RedisConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a master, and from when on the master may vote.
 *
 * @param votesAt by {@code nanoTime}: when all grants that it may have forgotten at its start have
 *     ended
 */
record VotingConnection(RedisConnection connection, long votesAt) {

  boolean votes() {
    return votesAt - System.nanoTime() <= 0;
  }

  /** Returns why it does not vote; empty if it does. */
  String note() {
    long left = votesAt - System.nanoTime();
    return left <= 0
        ? ""
        : "restarted too recently to vote; will vote in "
            + (TimeUnit.NANOSECONDS.toMillis(left) + 1)
            + " ms: it may have forgotten grants";
  }

  /** Creates a connection to a master that must have run for a delay before it votes. */
  static VotingConnection of(RedisConnection connection, Duration uptime, Duration delay) {
    return new VotingConnection(connection, System.nanoTime() + delay.minus(uptime).toNanos());
  }
}
