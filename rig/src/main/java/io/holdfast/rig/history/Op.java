package io.holdfast.rig.history;

/** What an event of a history is about. */
public enum Op {
  /** A claim takes its place in line; OK when the store has acknowledged it. */
  ENQUEUE,
  /** A claim asks for a grant; OK when the caller has got its hold. */
  ACQUIRE,
  /** The holder looked, and it still holds, until the deadline of the event. */
  HELD,
  /** The holder releases; FAIL when the hold had been lost. */
  RELEASE,
  /** The holder was notified of the loss. */
  LOST,
  /** A waiting claim gives up. */
  LEAVE,
  /** A guarded write with a token; OK when the resource accepted it. */
  WRITE,
  /** The process of the event was killed. */
  KILLED,
  /** The process of the event was paused or cut off: it may lose its place and report late. */
  STALLED
}
