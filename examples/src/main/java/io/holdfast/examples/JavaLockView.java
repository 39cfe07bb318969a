package io.holdfast.examples;

import io.holdfast.FenceGuard;
import io.holdfast.Holdfast;
import io.holdfast.JavaLock;
import io.holdfast.memory.MemoryFenceGuard;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** For code that knows java.util.concurrent: owned by the thread, re-entrant, and fenced. */
public final class JavaLockView {

  private JavaLockView() {}

  public static void main(String[] args) throws InterruptedException {
    FenceGuard guard = new MemoryFenceGuard(); // lives with the data
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      // region docs
      JavaLock lock = holdfast.lock("cache").asJavaLock(); // a java.util.concurrent.locks.Lock

      lock.lock();
      try {
        guard.claim(lock.hold()); // the thread's hold, with the token
        lock.lock(); // again, by the same thread: only counted
        try {
          guard.claim(lock.hold()); // the same hold and the same token
          System.out.println("inside twice");
        } finally {
          lock.unlock();
        }
        System.out.println("still held: " + lock.hold().isHeld());
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
