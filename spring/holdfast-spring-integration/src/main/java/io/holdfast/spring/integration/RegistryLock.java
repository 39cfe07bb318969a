package io.holdfast.spring.integration;

import io.holdfast.Hold;
import io.holdfast.HoldfastException;
import io.holdfast.JavaLock;
import io.holdfast.LockLostException;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.springframework.dao.CannotAcquireLockException;

/** A {@link JavaLock} that reports failures with the exceptions of Spring's registries. */
class RegistryLock implements Lock {

  private final String name;
  private final JavaLock lock;

  RegistryLock(String name, JavaLock lock) {
    this.name = name;
    this.lock = lock;
  }

  String name() {
    return name;
  }

  /** Returns the hold of the current thread. */
  Hold hold() {
    return lock.hold();
  }

  @Override
  public void lock() {
    try {
      lock.lock();
    } catch (HoldfastException e) {
      throw notAcquired(e);
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    try {
      lock.lockInterruptibly();
    } catch (HoldfastException e) {
      throw notAcquired(e);
    }
  }

  @Override
  public boolean tryLock() {
    try {
      return lock.tryLock();
    } catch (HoldfastException e) {
      throw notAcquired(e);
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    try {
      return lock.tryLock(time, unit);
    } catch (HoldfastException e) {
      throw notAcquired(e);
    }
  }

  final CannotAcquireLockException notAcquired(HoldfastException cause) {
    return new CannotAcquireLockException(
        "failed to lock " + name + ": " + cause.getMessage(), cause);
  }

  @Override
  public void unlock() {
    try {
      lock.unlock();
    } catch (LockLostException e) {
      throw new ConcurrentModificationException(
          name
              + " was lost before it was unlocked, and what it protects may have been changed: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a distributed lock has no conditions");
  }

  @Override
  public String toString() {
    return "HoldfastLock[" + name + "]";
  }
}
