package io.holdfast.cli.bench;

/** Names of the figures that only some runners add to their samples. */
public final class ExtraFigures {

  /** Number of threads in the process. */
  public static final String THREADS = "threads";

  /** Number of connections to the server. */
  public static final String CONNECTIONS = "connections";

  /** Prefix of the share of one process in all grants; the number of the process follows. */
  public static final String SHARE_OF_PROCESS = "share of process ";

  /** Number of locks that stay held during a round. */
  public static final String HELD = "held";

  /** Number of those locks that were still held at the end of the round. */
  public static final String STILL_HELD = "stillHeld";

  /** How many of those locks were acquired per second. */
  public static final String TAKEN_PER_SECOND = "takenPerSecond";

  /** Heap that one held lock takes. */
  public static final String HEAP_BYTES_PER_HOLD = "heapBytesPerHold";

  private ExtraFigures() {}
}
