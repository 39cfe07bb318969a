package io.holdfast;

import java.util.Optional;

/**
 * One leader among many. Leading is holding a mutex: {@link Candidacy#isLeader()} turns false
 * before another can lead, whether or not any callback has run.
 */
public interface Election {

  /** Stands for leadership until the candidacy is closed. */
  Candidacy stand(Candidate candidate);

  /** What a candidate does; the calls of one candidacy never overlap and come in order. */
  interface Candidate {

    /**
     * Called when leadership begins, on a thread where it may block. Leadership goes on after it
     * returns. Throwing gives it up.
     */
    void elected(Hold leadership) throws Exception;

    /** Called after leadership ended, for any reason, once for each {@link #elected}. */
    default void deposed() {}
  }

  /** One candidate's standing. */
  interface Candidacy extends AutoCloseable {

    /** Whether this candidate leads now. Local, without I/O. */
    boolean isLeader();

    /** The hold behind it, with its token, while leading. */
    Optional<Hold> leadership();

    /** Gives leadership up if it leads, and stands again after a pause. */
    void resign();

    /** Gives up for good. Does not wait for callbacks. */
    @Override
    void close();
  }
}
