package io.holdfast;

/**
 * A number of permits, granted strictly in the order of arrival.
 *
 * <p>As a {@link DistributedLock} it takes one permit.
 */
public interface DistributedSemaphore extends DistributedLock {

  /**
   * Returns a lock that takes several permits at once, all or nothing.
   *
   * @param count 1 up to the number of permits of the semaphore
   */
  DistributedLock permits(int count);

  /**
   * Changes the number of permits for all clients in one step. Waiters that fit get in at once, and
   * holders beyond a smaller number stay until they release. From then on, acquires that state
   * another number are refused, as long as a ticket is in line.
   *
   * @return false when no ticket is in line: there is nothing to change then, and the next client
   *     states the number
   */
  boolean resize(int permits) throws InterruptedException;
}
