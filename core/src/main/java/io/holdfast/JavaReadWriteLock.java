package io.holdfast;

import java.util.concurrent.locks.ReadWriteLock;

/** A {@link ReadWriteLock} over a distributed one; both sides give access to the thread's hold. */
public interface JavaReadWriteLock extends ReadWriteLock {

  @Override
  JavaLock readLock();

  @Override
  JavaLock writeLock();
}
