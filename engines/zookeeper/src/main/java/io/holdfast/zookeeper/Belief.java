package io.holdfast.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long the store surely keeps the session, by the beats that a majority has confirmed. Safe for
 * several threads.
 *
 * <p>The server that a client is connected to answers reads and pings by itself, even when it is
 * cut off from the others; so these prove nothing. It tells the leader that it heard of a session
 * in its answers to the leader's own pings, one every half tick; a write is forwarded at once. So
 * when a write is confirmed, the leader has surely been told of what the server heard half a tick
 * before that write: the end of the session is counted from the last beat that was confirmed so
 * long before. Half a tick is not known here, as no client is told what a tick is; a tenth of the
 * session's time is not less, if that time is five ticks or more. At five there is nothing to
 * spare: one ping that comes late, or a slow way from the leader to the server, and the leader has
 * not heard yet of the beat that is counted from, but of the one before. With ten ticks or more a
 * ping may be late by as long as pings are apart. A leader that stands still for longer than a
 * tenth between the two beats is not covered, nor is a session of fewer ticks: there only the token
 * protects.
 */
final class Belief {

  private static final int GAP_PARTS = 10;

  /** A beat that was confirmed. */
  private record Confirmed(long sentAt, long confirmedAt) {}

  private final long timeoutNanos;
  private final Deque<Confirmed> beats = new ArrayDeque<>();
  private long heardAt;
  private long confirmedAt;

  /**
   * The belief of a session that was just opened.
   *
   * @param askedAt when it was asked for: it surely lasts from then on
   */
  Belief(long timeoutNanos, long askedAt) {
    this.timeoutNanos = timeoutNanos;
    this.heardAt = askedAt;
    this.confirmedAt = askedAt;
  }

  /**
   * The belief of a session that somebody else opened at some time. When the store heard of it last
   * is not known, however well it answers: it may be about to end. Nothing is believed until two
   * beats were confirmed, one well after the other.
   */
  static Belief ofOlder(long timeoutNanos, long now) {
    return new Belief(timeoutNanos, now - timeoutNanos);
  }

  /** A beat was confirmed. */
  synchronized void confirmed(long sentAt, long now) {
    while (!beats.isEmpty() && sentAt - beats.getFirst().confirmedAt >= timeoutNanos / GAP_PARTS) {
      heardAt = later(heardAt, beats.removeFirst().sentAt);
    }
    beats.addLast(new Confirmed(sentAt, now));
    confirmedAt = now;
  }

  private static long later(long a, long b) {
    return b - a > 0 ? b : a;
  }

  /** How long the session surely lasts, counted from now; not positive: it may be over. */
  synchronized long left(long now) {
    return timeoutNanos - (now - heardAt);
  }

  /** Whether another beat would count: the last one was confirmed long enough ago. */
  synchronized boolean isStale(long now) {
    return beats.isEmpty() || now - beats.getLast().confirmedAt >= timeoutNanos / GAP_PARTS;
  }

  /** How long ago a beat was confirmed. */
  synchronized long silence(long now) {
    return now - confirmedAt;
  }
}
