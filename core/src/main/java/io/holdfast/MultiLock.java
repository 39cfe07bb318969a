package io.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * Several mutexes, all or none. Names are de-duplicated and taken in the order of their bytes under
 * one deadline, so that overlapping sets never wait for each other in a circle.
 */
public interface MultiLock {

  /** Waits for a bounded time for all; ends as {@link DistributedLock#acquire(Duration)}. */
  MultiHold acquire(Duration wait) throws InterruptedException;

  /** Waits for a bounded time; empty only when the store said busy. */
  Optional<MultiHold> tryAcquire(Duration wait) throws InterruptedException;
}
