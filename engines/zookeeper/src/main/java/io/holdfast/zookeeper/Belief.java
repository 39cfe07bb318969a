package io.holdfast.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

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
 *
 * <p>A host that was suspended may have stopped the steady clock. The wall clock shows it: by as
 * much as it has moved on more than the steady one since a beat was sent, less is left. So a step
 * of the wall clock costs belief until two beats have been confirmed anew, and never safety.
 */
final class Belief {

  private static final int GAP_PARTS = 10;

  /** If the clocks differ by more than this part of the session's time, a beat is worth sending. */
  private static final int JUMP_PARTS = 100;

  /** A moment on the steady clock, and how far the wall clock was ahead of it then. */
  record Moment(long nanos, long ahead) {}

  /** A beat that was confirmed. */
  private record Confirmed(Moment sent, long at) {}

  private final long timeoutNanos;
  private final LongSupplier ahead;
  private final Deque<Confirmed> beats = new ArrayDeque<>();
  private Moment heard;
  private Confirmed latest;

  /**
   * The belief of a session that was just opened.
   *
   * @param asked when it was asked for: it surely lasts from then on
   * @param ahead how far the wall clock is ahead of the steady one
   */
  Belief(long timeoutNanos, Moment asked, LongSupplier ahead) {
    this.timeoutNanos = timeoutNanos;
    this.ahead = ahead;
    this.heard = asked;
    this.latest = new Confirmed(asked, asked.nanos);
  }

  /**
   * The belief of a session that somebody else opened at some time. When the store heard of it last
   * is not known, however well it answers: it may be about to end. Nothing is believed until two
   * beats were confirmed, one well after the other.
   */
  static Belief ofOlder(long timeoutNanos, Moment now, LongSupplier ahead) {
    return new Belief(timeoutNanos, new Moment(now.nanos - timeoutNanos, now.ahead), ahead);
  }

  /** That moment on the steady clock, which is now, and on the wall clock. */
  Moment moment(long now) {
    return new Moment(now, ahead.getAsLong());
  }

  /** A beat was confirmed. */
  synchronized void confirmed(Moment sent, long now) {
    while (!beats.isEmpty() && sent.nanos - beats.getFirst().at >= timeoutNanos / GAP_PARTS) {
      heard = later(heard, beats.removeFirst().sent);
    }
    latest = new Confirmed(sent, now);
    beats.addLast(latest);
  }

  private static Moment later(Moment a, Moment b) {
    return b.nanos - a.nanos > 0 ? b : a;
  }

  /** How long the session surely lasts, counted from now; not positive: it may be over. */
  synchronized long left(long now) {
    return timeoutNanos - (now - heard.nanos) - jumpSince(heard);
  }

  /** By how much the wall clock has moved on more than the steady one. */
  private long jumpSince(Moment then) {
    return Math.max(0, ahead.getAsLong() - then.ahead);
  }

  /**
   * Whether another beat would count: the last one was confirmed long enough ago, or the clocks
   * cast doubt on it.
   */
  synchronized boolean isStale(long now) {
    return beats.isEmpty()
        || now - latest.at >= timeoutNanos / GAP_PARTS
        || jumpSince(latest.sent) > timeoutNanos / JUMP_PARTS;
  }

  /** How long ago a beat was confirmed. */
  synchronized long silence(long now) {
    return now - latest.at + jumpSince(latest.sent);
  }
}
