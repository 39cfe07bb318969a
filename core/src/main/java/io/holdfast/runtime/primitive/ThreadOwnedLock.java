package io.holdfast.runtime.primitive;

import io.holdfast.Hold;
import io.holdfast.JavaLock;
import io.holdfast.LockRefusedException;
import io.holdfast.runtime.acquire.Waiter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The {@link JavaLock} view: owned by the thread, re-entrant by a local count.
 *
 * <p>A writer may also read; a writer that still reads when it unlocks is downgraded in place. A
 * reader that asks to write is refused, because it would wait for itself.
 */
final class ThreadOwnedLock implements JavaLock {

  private final DefaultLock lock;
  private final boolean shared;
  private final @Nullable DefaultReadWriteLock sides;

  /** Creates a view of a lock with one side. */
  ThreadOwnedLock(DefaultLock lock) {
    this(lock, /* shared= */ false, null);
  }

  /** Creates a view of one side of a read/write lock. */
  ThreadOwnedLock(DefaultLock lock, boolean shared, @Nullable DefaultReadWriteLock sides) {
    this.lock = lock;
    this.shared = shared;
    this.sides = sides;
  }

  @Override
  public void lock() {
    try {
      obtain(Waiter.NO_LIMIT, DefaultLock.Manner.THREAD_OWNED_STUBBORN);
    } catch (InterruptedException e) {
      throw new AssertionError("an uninterruptible acquire was interrupted", e);
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    obtain(Waiter.NO_LIMIT, DefaultLock.Manner.THREAD_OWNED);
  }

  @Override
  public boolean tryLock() {
    boolean interrupted = Thread.interrupted();
    try {
      return tryOnce();
    } catch (InterruptedException e) {
      interrupted = true;
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return time <= 0 ? tryOnce() : obtain(unit.toNanos(time), DefaultLock.Manner.THREAD_OWNED);
  }

  private boolean tryOnce() throws InterruptedException {
    long bound = lock.view().options().operationTimeout().toNanos();
    return obtain(bound, DefaultLock.Manner.THREAD_OWNED_TRY);
  }

  private boolean obtain(long wait, DefaultLock.Manner manner) throws InterruptedException {
    ThreadHolds holds = holds();
    ThreadHolds.Key key = ThreadHolds.Key.of(lock);
    ThreadHolds.Mine mine = holds.mine(key);
    if (mine != null) {
      mine.hold.ensureHeld();
      count(mine, +1);
      return true;
    }
    DefaultLock.Ended ended = lock.obtain(wait, manner);
    if (!(ended.result() instanceof Waiter.Result.Got got)) {
      return false;
    }
    count(holds.begin(key, got.hold()), +1);
    return true;
  }

  private void count(ThreadHolds.Mine mine, int by) {
    if (shared) {
      mine.shared += by;
    } else if (by > 0 && sides != null && mine.exclusive == 0 && mine.shared > 0) {
      throw new LockRefusedException(
          "this thread reads "
              + lock.name()
              + " and would wait for itself to write it; release the read lock first",
          null);
    } else {
      mine.exclusive += by;
    }
  }

  @Override
  public Hold hold() {
    return new ThreadOwnedHold(mine(ThreadHolds.Key.of(lock)).hold);
  }

  /** Returns the current thread's hold through this view. */
  private ThreadHolds.Mine mine(ThreadHolds.Key key) {
    ThreadHolds.Mine mine = holds().mine(key);
    if (mine == null || (shared ? mine.shared : mine.exclusive) == 0) {
      throw new IllegalMonitorStateException(
          lock.name() + " is not held by thread " + Thread.currentThread().getName());
    }
    return mine;
  }

  @Override
  public void unlock() {
    ThreadHolds.Key key = ThreadHolds.Key.of(lock);
    ThreadHolds.Mine mine = mine(key);
    count(mine, -1);
    if (mine.shared == 0 && mine.exclusive == 0) {
      holds().end(key);
      mine.hold.close();
    } else if (!shared && mine.exclusive == 0 && sides != null) {
      holds().replace(key, mine, sides.downgraded(mine.hold));
    }
  }

  private ThreadHolds holds() {
    return lock.view().client().threadHolds();
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a distributed lock has no conditions");
  }
}
