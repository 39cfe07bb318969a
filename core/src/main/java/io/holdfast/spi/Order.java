package io.holdfast.spi;

/** The order in which the tickets of a mutex are granted. */
public enum Order {
  /**
   * No order: the first attempt on a free mutex is granted. This is the fast default: the store
   * keeps no line, and the threads of one client hand the mutex over among themselves for a short
   * time slice.
   */
  ANY,

  /** Strictly in the order in which the store serialized the joins. */
  FIFO
}
