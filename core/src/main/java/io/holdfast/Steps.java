package io.holdfast;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The steps of a state machine that many threads drive, one at a time: what a step does to the
 * outside is decided under a lock and done without it, so that no caller's code and no store call
 * ever runs under the lock.
 */
final class Steps {

  private final ReentrantLock lock = new ReentrantLock();

  /** Takes a step: decides under the lock, then does what was decided. */
  void take(Supplier<Runnable> step) {
    look(step).run();
  }

  /** Looks at the state under the lock. */
  <T> T look(Supplier<T> state) {
    lock.lock();
    try {
      return state.get();
    } finally {
      lock.unlock();
    }
  }
}
