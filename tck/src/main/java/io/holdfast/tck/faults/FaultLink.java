package io.holdfast.tck.faults;

/** The network between one client and its store, such as a TCP proxy. */
public interface FaultLink extends AutoCloseable {

  /** Breaks the link; in force when the method returns. Replaces an earlier cut. */
  void cut(Cut how);

  /** Repairs the link; what was delayed arrives. */
  void heal();

  /** Closes the link after its client. */
  @Override
  default void close() {}
}
