package io.holdfast.rig;

/** What an event of a history is about. */
public enum Op {
  /** A claim takes its place in line; OK when the store has acknowledged it. */
  ENQUEUE,
  /** A claim asks for a grant; OK when the caller has got its hold. */
  ACQUIRE,
  /** The holder looked and was told that it still holds, until the deadline of the event. */
  HELD,
  /** The holder gives it back; FAIL when it was told that it had lost it. */
  RELEASE,
  /** The holder was told that it has lost it. */
  LOST,
  /** A waiting claim gives up. */
  LEAVE,
  /** A guarded write with a token; OK when the resource accepted it. */
  WRITE,
  /** The process of the event was killed. */
  KILLED,
  /** The process of the event was paused or cut off: it may lose its place and tell things late. */
  STALLED
}
