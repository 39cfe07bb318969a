package io.holdfast.spi;

/** What a ticket left behind when it went. Either way nothing of it is in the store now. */
public enum Left {
  /** It was granted, and is no more. */
  HOLDING,
  /** It was waiting, and is no more. */
  WAITING,
  /** Nothing of it was there. */
  NOTHING
}
