package io.holdfast;

/**
 * Many readers or one writer, strictly in the order of arrival: neither side starves. A reader
 * cannot become a writer; a writer can become a reader.
 */
public interface DistributedReadWriteLock {

  /** The name, as it was given. */
  String name();

  /** The shared side. */
  DistributedLock readLock();

  /** The exclusive side. */
  DistributedLock writeLock();

  /**
   * Turns a writer's hold into a reader's, with no writer in between. The writer's hold is
   * released; the answer has the same token.
   *
   * @throws IllegalArgumentException when it is not a writer's hold of this lock
   * @throws LockLostException when it was lost, or when the answer is in doubt: then it is given
   *     up, because it may be a reader's in the store already
   * @throws StoreUnavailableException when the store surely did nothing: the writer's hold stands
   */
  Hold downgrade(Hold writer);

  /**
   * The {@code java.util.concurrent} view of both sides; a thread that reads and asks to write is
   * refused at once with {@link LockRefusedException}, because it would wait for itself.
   */
  JavaReadWriteLock asJavaLock();
}
