package io.holdfast;

/**
 * Many readers or one writer, strictly in the order of arrival.
 *
 * <p>Neither side starves. A reader cannot become a writer; a writer can become a reader.
 */
public interface DistributedReadWriteLock {

  /** Returns the name, as it was given. */
  String name();

  /** Returns the shared side. */
  DistributedLock readLock();

  /** Returns the exclusive side. */
  DistributedLock writeLock();

  /**
   * Turns a writer's hold into a reader's hold, with no other writer in between. Blocks for one
   * reply of the store.
   *
   * @return a reader's hold with the same token; the writer's hold is released
   * @throws IllegalArgumentException when the hold is not a writer's hold of this lock
   * @throws LockLostException when the hold was lost, or when the reply is in doubt: the hold is
   *     given up then, because it may be a reader's in the store already
   * @throws StoreUnavailableException when the store certainly did nothing: the writer's hold
   *     stands
   */
  Hold downgrade(Hold writer);

  /**
   * Returns the {@code java.util.concurrent} view of both sides. A thread that reads and asks to
   * write is refused at once with {@link LockRefusedException}, because it would wait for itself.
   */
  JavaReadWriteLock asJavaLock();
}
