package io.holdfast;

import java.util.Optional;

/**
 * One leader among many candidates.
 *
 * <p>Leading is holding a mutex: {@link Candidacy#isLeader()} becomes false before another
 * candidate can lead, whether or not any callback has run.
 */
public interface Election {

  /** Stands for leadership until the candidacy is closed. */
  Candidacy stand(Candidate candidate);

  /** The callbacks of a candidate. Calls for one candidacy never overlap and are in order. */
  interface Candidate {

    /**
     * Called when leadership begins, on a thread where it may block. Leadership continues after it
     * returns. An exception gives leadership up.
     */
    void elected(Hold leadership) throws Exception;

    /** Called after leadership ended, for any reason, once for each {@link #elected}. */
    default void deposed() {}
  }

  /** One candidate of an election. */
  interface Candidacy extends AutoCloseable {

    /** Returns whether this candidate leads now. Local, without I/O. */
    boolean isLeader();

    /** Returns the hold of the leader, with its token; empty while not leading. */
    Optional<Hold> leadership();

    /** Gives leadership up, if this candidate leads, and stands again after a pause. */
    void resign();

    /** Gives up for good. Does not wait for callbacks. */
    @Override
    void close();
  }
}
