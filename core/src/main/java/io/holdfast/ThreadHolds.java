package io.holdfast;

import io.holdfast.spi.Resource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** What the threads of a client hold through the Java view: counts are local. */
final class ThreadHolds {

  /** Whose, and of what. */
  record Key(Thread thread, Resource resource) {}

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

  @Nullable Mine mine(Resource resource) {
    return held.get(new Key(Thread.currentThread(), resource));
  }

  Mine begin(Resource resource, HeldLock hold) {
    Mine mine = new Mine(hold);
    Key key = new Key(Thread.currentThread(), resource);
    held.put(key, mine);
    // A thread that died cannot take its entry out.
    hold.onLoss(loss -> held.computeIfPresent(key, (k, m) -> k.thread().isAlive() ? m : null));
    return mine;
  }

  void end(Resource resource) {
    held.remove(new Key(Thread.currentThread(), resource));
  }
}
