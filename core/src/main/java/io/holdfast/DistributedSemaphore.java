package io.holdfast;

/**
 * A number of permits, given out strictly in the order of arrival. As a {@link DistributedLock} it
 * takes one permit.
 */
public interface DistributedSemaphore extends DistributedLock {

  /**
   * Several permits at once, all or nothing.
   *
   * @param count 1 up to the number that the semaphore has
   */
  DistributedLock permits(int count);

  /**
   * Changes the number of permits for everybody in one step; waiters that fit get in at once, and
   * holders beyond a smaller number stay until they leave. From then on another stated number is
   * refused, as long as anyone is in line.
   *
   * @return false when nobody is in line: then there is nothing to change, and the next to come
   *     states the number
   */
  boolean resize(int permits) throws InterruptedException;
}
