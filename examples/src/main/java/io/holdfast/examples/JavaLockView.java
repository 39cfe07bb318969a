package io.holdfast.examples;

import io.holdfast.Holdfast;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** For code that knows java.util.concurrent: owned by the thread, and re-entrant. */
public final class JavaLockView {

  private JavaLockView() {}

  public static void main(String[] args) throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      // region docs
      Lock lock = holdfast.lock("cache").asJavaLock();

      lock.lock();
      try {
        lock.lock(); // again, by the same thread: only counted
        try {
          System.out.println("inside twice");
        } finally {
          lock.unlock();
        }
        System.out.println("another thread gets in: " + elsewhere(lock::tryLock));
      } finally {
        lock.unlock(); // given back here; throws LockLostException if it was lost
      }
      // endregion
    }
  }

  private static boolean elsewhere(BooleanSupplier attempt) throws InterruptedException {
    AtomicBoolean answer = new AtomicBoolean();
    Thread other = new Thread(() -> answer.set(attempt.getAsBoolean()));
    other.start();
    other.join();
    return answer.get();
  }
}
