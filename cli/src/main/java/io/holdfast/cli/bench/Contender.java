package io.holdfast.cli.bench;

import java.nio.file.Path;

/** A lock system in a race: Holdfast over some store, or another library. */
public interface Contender {

  /** What it is called in tables; without secrets. */
  String name();

  /** Whether it keeps processes apart, and not just the threads of one. */
  boolean acrossProcesses();

  /**
   * Connects.
   *
   * @param folder the run's own folder, the same in every process of the run, deleted at its end
   */
  Session open(Path folder) throws Exception;

  /** A connection that all threads of a process share. */
  interface Session extends AutoCloseable {

    /** A caller for one thread, which holds one lock at a time. */
    Caller caller();

    /** Disconnects; everything has been released by then. */
    @Override
    void close() throws Exception;
  }

  /** What one thread does; used by that thread alone. */
  interface Caller {

    /** What {@link #acquire} returns if the contender has no fencing tokens. */
    long NO_TOKEN = -1;

    /**
     * Blocks until it holds the lock of this name; ends by itself, or when interrupted.
     *
     * @return the fencing token
     */
    long acquire(String name) throws Exception;

    /** Gives back what {@link #acquire} took; throws unless it was held until now. */
    void release() throws Exception;

    /** Whether the lock is still held, as far as the contender knows. */
    default boolean isHeld() {
      return true;
    }
  }
}
