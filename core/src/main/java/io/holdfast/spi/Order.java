package io.holdfast.spi;

/** In which order the tickets of a mutex get in. */
public enum Order {
  /**
   * Whoever asks while it is free. The fast one and the default: the store keeps no line, and the
   * threads of one client pass the mutex on among themselves for a short slice of time.
   */
  ANY,

  /** Strictly in the order in which the store serialized the joins. */
  FIFO
}
