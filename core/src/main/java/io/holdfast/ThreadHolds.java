package io.holdfast;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** What the threads of a client hold through the Java view: counts are local. */
final class ThreadHolds {

  /**
   * Whose, and of what.
   *
   * @param weight what is held of a mutex or a semaphore; both sides of a read/write lock are one
   */
  record Key(Thread thread, Resource resource, Shape.Kind kind, int weight) {

    /** The current thread's. */
    static Key of(LineLock lock) {
      boolean sides = lock.kind() == Shape.Kind.READ_WRITE;
      return new Key(
          Thread.currentThread(), lock.resource(), lock.kind(), sides ? 0 : lock.weight());
    }
  }

  /** One thread's hold of one resource; touched by that thread alone. */
  static final class Mine {
    HeldLock hold;
    int exclusive;
    int shared;

    Mine(HeldLock hold) {
      this.hold = hold;
    }
  }

  private final ConcurrentMap<Key, Mine> held = new ConcurrentHashMap<>();

  @Nullable Mine mine(Key key) {
    return held.get(key);
  }

  Mine begin(Key key, HeldLock hold) {
    Mine mine = new Mine(hold);
    held.put(key, mine);
    forgetTheDead(key, hold);
    return mine;
  }

  /** The thread's hold goes on as another. */
  void replace(Key key, Mine mine, HeldLock hold) {
    mine.hold = hold;
    forgetTheDead(key, hold);
  }

  /** A thread that died cannot take its entry out. */
  private void forgetTheDead(Key key, HeldLock hold) {
    hold.onLoss(loss -> held.computeIfPresent(key, (k, m) -> k.thread().isAlive() ? m : null));
  }

  void end(Key key) {
    held.remove(key);
  }
}
