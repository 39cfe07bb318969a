package io.holdfast;

/** Waiting times that double up to a limit, spread by jitter. Not thread-safe. */
final class Backoff {

  /** Polling, and the fallback where waiters are signalled. */
  static final long POLL_FIRST = 100_000_000L;

  /** The longest time between two polls. */
  static final long POLL_MOST = 500_000_000L;

  private static final double SPREAD = 0.2;

  private final Jitter jitter;
  private final long first;
  private final long most;
  private long next;

  Backoff(Jitter jitter, long first, long most) {
    this.jitter = jitter;
    this.first = first;
    this.most = most;
    this.next = first;
  }

  static Backoff polling(Jitter jitter) {
    return new Backoff(jitter, POLL_FIRST, POLL_MOST);
  }

  long next() {
    long now = next;
    next = Math.min(most, next * 2);
    return jitter.around(now, SPREAD);
  }

  void reset() {
    next = first;
  }
}
