package io.holdfast.runtime.acquire;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The steps of a state machine that many threads drive, one at a time.
 *
 * <p>The effects of a step are decided under a lock and executed without it, so that neither a
 * caller's code nor a store call ever runs under the lock.
 */
final class Transitions {

  private final ReentrantLock lock = new ReentrantLock();

  /** Takes a step: decides under the lock, then executes what was decided. */
  void take(Supplier<Runnable> step) {
    underLock(step).run();
  }

  /** Reads or changes the state under the lock, without effects to execute. */
  <T> T underLock(Supplier<T> state) {
    lock.lock();
    try {
      return state.get();
    } finally {
      lock.unlock();
    }
  }
}
