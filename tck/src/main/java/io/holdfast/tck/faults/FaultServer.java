package io.holdfast.tck.faults;

/** One of several servers of a store. */
public interface FaultServer {

  /** Stops the server where it is, as {@code SIGSTOP}; connections to it stay open. */
  void freeze();

  /** Ends {@link #freeze()}. */
  void resume();

  /** Whether locks of this name cannot be served while this server is frozen. */
  boolean isNeededFor(String namespace, String name);
}
