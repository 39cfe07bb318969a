package io.holdfast.zookeeper.session;

import io.holdfast.spi.support.LeaseClock;
import io.holdfast.spi.support.LeaseClock.Moment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Computes how long the store surely keeps a session. Safe for several threads.
 *
 * <p>The server that a client is connected to replies to reads and pings by itself, even when it is
 * cut off from the other servers, so these prove nothing. It reports the sessions from which it got
 * requests in its replies to the leader's pings, one every half tick, while a write is forwarded at
 * once. So when a write is confirmed, the leader has surely received everything that the server had
 * received half a tick before that write: the end of the session is counted from the last heartbeat
 * that was confirmed that long before. The length of a tick is not known here, because no server
 * reports it to clients; a tenth of the session timeout is at least half a tick if the timeout is
 * five ticks or more. At five ticks there is no reserve: with one late ping, or a slow path from
 * the leader to the server, the leader knows only the heartbeat before the one we count from. With
 * ten ticks or more a ping may be late by the interval between pings. A leader that stands still
 * for longer than a tenth between the two heartbeats is not covered, and neither is a session of
 * fewer ticks: there only the token protects.
 *
 * <p>{@link LeaseClock} subtracts the time for which the host was suspended since a heartbeat was
 * sent. A forward step of the wall clock looks the same: it shortens the validity until two more
 * heartbeats were confirmed, and never costs safety.
 */
public final class SessionValidity {

  private static final int GAP_PARTS = 10;

  /** After a suspension of more than this part of the timeout, another heartbeat is useful. */
  private static final int JUMP_PARTS = 100;

  /** A confirmed heartbeat. */
  private record Confirmed(Moment sent, long at) {}

  private final LeaseClock clock;
  private final long timeoutNanos;
  private final Deque<Confirmed> beats = new ArrayDeque<>();
  private Moment countedFrom;
  private Confirmed latest;

  /**
   * Creates the validity of a session that was just opened.
   *
   * @param requested when the session was requested: it surely lasts from then on
   */
  SessionValidity(LeaseClock clock, long timeoutNanos, Moment requested) {
    this.clock = clock;
    this.timeoutNanos = timeoutNanos;
    this.countedFrom = requested;
    this.latest = new Confirmed(requested, requested.nanos());
  }

  /**
   * Returns the validity of a session that the caller opened at some earlier time. It is not known
   * when the store last got a request of it, however well the store replies: it may be about to
   * end. It counts as ended until two heartbeats were confirmed, one well after the other.
   */
  static SessionValidity ofOlderSession(LeaseClock clock, long timeoutNanos, Moment now) {
    return new SessionValidity(clock, timeoutNanos, now.minusNanos(timeoutNanos));
  }

  /** Returns the current moment, to be taken before a heartbeat is sent. */
  Moment now() {
    return clock.now();
  }

  /** A heartbeat was confirmed. */
  synchronized void confirmed(Moment sent) {
    while (!beats.isEmpty() && sent.nanos() - beats.getFirst().at >= timeoutNanos / GAP_PARTS) {
      Moment earlier = beats.removeFirst().sent;
      countedFrom = earlier.isAfter(countedFrom) ? earlier : countedFrom;
    }
    latest = new Confirmed(sent, clock.nanoTime());
    beats.addLast(latest);
  }

  /** Returns how long the session surely lasts from now; not positive: it may have ended. */
  public synchronized long remaining() {
    return clock.remainingNanos(countedFrom, timeoutNanos);
  }

  /**
   * Returns whether another heartbeat would extend the validity: the last one was confirmed long
   * enough ago, or the host was suspended since.
   */
  public synchronized boolean isStale() {
    return beats.isEmpty()
        || clock.nanoTime() - latest.at >= timeoutNanos / GAP_PARTS
        || clock.suspendedNanosSince(latest.sent) > timeoutNanos / JUMP_PARTS;
  }

  /** Returns how long ago the last heartbeat was confirmed. */
  public synchronized long silence() {
    long now = clock.nanoTime();
    return now - latest.at + clock.suspendedNanosSince(latest.sent, now);
  }
}
