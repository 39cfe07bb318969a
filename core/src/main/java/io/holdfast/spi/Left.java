package io.holdfast.spi;

/** The state of a ticket before it left. In every case nothing of it is in the store now. */
public enum Left {
  /** It was granted. */
  HOLDING,
  /** It was waiting. */
  WAITING,
  /** Nothing of it was there. */
  NOTHING
}
