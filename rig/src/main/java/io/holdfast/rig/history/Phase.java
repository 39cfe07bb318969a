package io.holdfast.rig.history;

/** How far the operation of an event has come. */
public enum Phase {
  /** About to be done. Written before the first byte leaves. */
  INVOKE,
  /** Done, with the wished result. */
  OK,
  /** Surely without effect. */
  FAIL,
  /** Without a known outcome, or something that simply happened. */
  INFO
}
