package io.holdfast.runtime.acquire;

/**
 * Measures a client's time with a mutex.
 *
 * <p>There are two sizes: the slice before it yields to other clients, and the turns of its own
 * threads within it. Guarded by the line's lock.
 */
final class TimeSlice {

  private static final long TURN = 1_000_000L;

  private boolean open;
  private long start;
  private long turnStart;
  private long askedAt;

  /**
   * The client got in.
   *
   * @param afterOthers whether another client was in before: only then an open slice ends
   */
  void granted(long now, boolean afterOthers) {
    if (!open || afterOthers) {
      start = now;
    }
    open = true;
    turnStart = now;
    askedAt = now;
  }

  /** The client has stayed out: its next grant begins a new slice. */
  void close() {
    open = false;
  }

  long hadFor(long now) {
    return now - start;
  }

  boolean turnIsOver(long now) {
    return now - turnStart >= TURN;
  }

  void nextTurn(long now) {
    turnStart = now;
  }

  /** Returns true once in each interval: it is time to ask the store whether other clients wait. */
  boolean asks(long now, long every) {
    boolean due = now - askedAt >= every;
    if (due) {
      askedAt = now;
    }
    return due;
  }
}
