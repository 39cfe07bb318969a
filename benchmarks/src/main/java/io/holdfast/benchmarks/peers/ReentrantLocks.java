package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's own lock, looked up by name: the floor of everything within one process.
 *
 * <p>Has its own caller: the indirection of {@link PeerCaller} would count among nanoseconds.
 */
final class ReentrantLocks implements Contender.Session {

  private final boolean fair;
  private final ConcurrentMap<String, ReentrantLock> byName = new ConcurrentHashMap<>();

  ReentrantLocks(boolean fair) {
    this.fair = fair;
  }

  @Override
  public Contender.Caller caller() {
    return new LockCaller(this);
  }

  private ReentrantLock named(String name) {
    // get() first: computeIfAbsent would lock the map's bin even if the name is there.
    ReentrantLock lock = byName.get(name);
    return lock != null ? lock : byName.computeIfAbsent(name, n -> new ReentrantLock(fair));
  }

  @Override
  public void close() {}

  private static final class LockCaller implements Contender.Caller {
    private final ReentrantLocks locks;
    private @Nullable ReentrantLock held;

    LockCaller(ReentrantLocks locks) {
      this.locks = locks;
    }

    @Override
    public long acquire(String name) throws InterruptedException {
      ReentrantLock lock = locks.named(name);
      lock.lockInterruptibly();
      held = lock;
      return NO_TOKEN;
    }

    @Override
    public void release() {
      Objects.requireNonNull(held).unlock();
    }
  }
}
