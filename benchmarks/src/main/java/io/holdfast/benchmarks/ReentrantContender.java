package io.holdfast.benchmarks;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The JDK's own lock, looked up by name: the floor of everything within one process. */
final class ReentrantContender implements Contender {

  private final String name;
  private final boolean fair;

  ReentrantContender(String name, boolean fair) {
    this.name = name;
    this.fair = fair;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean acrossProcesses() {
    return false;
  }

  @Override
  public Session open(Path folder) {
    return new Locks(fair, new ConcurrentHashMap<>());
  }

  private record Locks(boolean fair, ConcurrentMap<String, ReentrantLock> byName)
      implements Session {

    @Override
    public Caller caller() {
      return new LockCaller(this);
    }

    ReentrantLock named(String name) {
      // The look first: computeIfAbsent would lock the map's bin even when the name is there.
      ReentrantLock lock = byName.get(name);
      return lock != null ? lock : byName.computeIfAbsent(name, n -> new ReentrantLock(fair));
    }

    @Override
    public void close() {}
  }

  private static final class LockCaller implements Caller {
    private final Locks locks;
    private @Nullable ReentrantLock held;

    LockCaller(Locks locks) {
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
