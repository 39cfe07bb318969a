package io.holdfast.runtime.primitive;

import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Registry of the holds that threads own through the Java view; counts are local. */
public final class ThreadHolds {

  /**
   * The owner and the resource.
   *
   * @param weight the weight of a mutex or a semaphore; both sides of a read/write lock share one
   *     entry
   */
  record Key(Thread thread, Resource resource, Shape.Kind kind, int weight) {

    /** Returns the key of the current thread. */
    static Key of(DefaultLock lock) {
      boolean sides = lock.kind() == Shape.Kind.READ_WRITE;
      return new Key(
          Thread.currentThread(), lock.resource(), lock.kind(), sides ? 0 : lock.weight());
    }
  }

  /** One thread's hold of one resource; used by that thread alone. */
  static final class Mine {
    HoldHandle hold;
    int exclusive;
    int shared;

    Mine(HoldHandle hold) {
      this.hold = hold;
    }
  }

  private final ConcurrentMap<Key, Mine> held = new ConcurrentHashMap<>();

  @Nullable Mine mine(Key key) {
    return held.get(key);
  }

  Mine begin(Key key, HoldHandle hold) {
    Mine mine = new Mine(hold);
    held.put(key, mine);
    forgetTheDead(key, hold);
    return mine;
  }

  /** Replaces the thread's hold by another. */
  void replace(Key key, Mine mine, HoldHandle hold) {
    mine.hold = hold;
    forgetTheDead(key, hold);
  }

  /** A thread that died cannot remove its entry. */
  private void forgetTheDead(Key key, HoldHandle hold) {
    hold.onLoss(loss -> held.computeIfPresent(key, (k, m) -> k.thread().isAlive() ? m : null));
  }

  void end(Key key) {
    held.remove(key);
  }
}
