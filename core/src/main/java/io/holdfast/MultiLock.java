package io.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * Several mutexes, all or none.
 *
 * <p>Names are de-duplicated and acquired in the order of their bytes under one deadline, so that
 * overlapping sets never deadlock.
 */
public interface MultiLock {

  /**
   * Waits for all of them for at most the given time; ends as {@link
   * DistributedLock#acquire(Duration)}.
   */
  MultiHold acquire(Duration wait) throws InterruptedException;

  /** Waits for at most the given time; empty only when the store reported busy. */
  Optional<MultiHold> tryAcquire(Duration wait) throws InterruptedException;
}
