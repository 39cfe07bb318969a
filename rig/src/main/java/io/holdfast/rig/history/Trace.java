package io.holdfast.rig.history;

/**
 * Records the events of one claim as they happen. A method ending in {@code …ing} is called before
 * the call is made, the others when the call has returned. Each stamps its event with the time on
 * entry.
 *
 * <p>For one thread at a time, except {@link #lost}.
 */
public final class Trace {
  private final HistoryWriter writer;
  private final String process;
  private final String lock;
  private final String hold;
  private final int weight;

  Trace(HistoryWriter writer, String process, String lock, String hold, int weight) {
    this.writer = writer;
    this.process = process;
    this.lock = lock;
    this.hold = hold;
    this.weight = weight;
  }

  /** About to take a place in line. */
  public void enqueuing() {
    write(Op.ENQUEUE, Phase.INVOKE);
  }

  /** The store has acknowledged the place. */
  public void enqueued() {
    write(Op.ENQUEUE, Phase.OK);
  }

  /** About to ask for a grant. */
  public void acquiring() {
    write(Op.ACQUIRE, Phase.INVOKE);
  }

  /**
   * Granted.
   *
   * @param deadline the {@code nanoTime} until which the holder believes, or {@link
   *     Event#NO_DEADLINE}
   */
  public void acquired(long token, long deadline) {
    write(System.nanoTime(), Op.ACQUIRE, Phase.OK, token, deadline);
  }

  /** Not granted, and no longer in line: busy, timed out, interrupted. */
  public void notAcquired() {
    write(Op.ACQUIRE, Phase.FAIL);
  }

  /** Ended without a word from the store. */
  public void acquireUnknown() {
    write(Op.ACQUIRE, Phase.INFO);
  }

  /**
   * The holder looked, and it still holds. Keeps the deadline of a renewed hold known.
   *
   * @param asOf the {@code nanoTime} just before it looked: it may have been paused since
   */
  public void held(long asOf, long deadline) {
    write(asOf, Op.HELD, Phase.OK, Event.NO_TOKEN, deadline);
  }

  /** About to release: it believes no longer. */
  public void releasing() {
    write(Op.RELEASE, Phase.INVOKE);
  }

  /** Released cleanly. */
  public void released() {
    write(Op.RELEASE, Phase.OK);
  }

  /** The release returned that the hold had been lost. */
  public void releaseFoundLost() {
    write(Op.RELEASE, Phase.FAIL);
  }

  /** The release ended without a word from the store. */
  public void releaseUnknown() {
    write(Op.RELEASE, Phase.INFO);
  }

  /** The holder was notified of the loss; from any thread. */
  public void lost() {
    write(Op.LOST, Phase.INFO);
  }

  /** About to give up waiting. */
  public void leaving() {
    write(Op.LEAVE, Phase.INVOKE);
  }

  /** About to write to the guarded resource that has the lock's name. */
  public void writing(long token) {
    write(System.nanoTime(), Op.WRITE, Phase.INVOKE, token, Event.NO_DEADLINE);
  }

  /** The resource accepted the write. */
  public void written(long token) {
    write(System.nanoTime(), Op.WRITE, Phase.OK, token, Event.NO_DEADLINE);
  }

  /** The resource refused the write as stale. */
  public void writeRefused(long token) {
    write(System.nanoTime(), Op.WRITE, Phase.FAIL, token, Event.NO_DEADLINE);
  }

  private void write(Op op, Phase phase) {
    write(System.nanoTime(), op, phase, Event.NO_TOKEN, Event.NO_DEADLINE);
  }

  private void write(long nanos, Op op, Phase phase, long token, long deadline) {
    writer.write(new Event(nanos, process, lock, hold, weight, op, phase, token, deadline));
  }
}
