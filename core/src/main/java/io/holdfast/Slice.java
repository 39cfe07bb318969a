package io.holdfast;

/**
 * A client's time with a mutex, in two sizes: the slice before it gives way to other clients, and
 * the turns of its own threads within. Guarded by the line's lock.
 */
final class Slice {

  private static final long TURN = 1_000_000L;

  private boolean open;
  private long start;
  private long turnStart;
  private long askedAt;

  /**
   * The client got in.
   *
   * @param afterOthers whether another was in before: only then a slice that is open ends
   */
  void granted(long now, boolean afterOthers) {
    if (!open || afterOthers) {
      start = now;
    }
    open = true;
    turnStart = now;
    askedAt = now;
  }

  /** The client has stayed out: what it gets next is a new slice. */
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

  /** Whether it is time to ask the store if others wait; answers true once in that time. */
  boolean asks(long now, long every) {
    boolean due = now - askedAt >= every;
    if (due) {
      askedAt = now;
    }
    return due;
  }
}
