package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One thread's use of a library; keeps the held lock until its release.
 *
 * @param <H> what the library returns for a held lock
 */
class PeerCaller<H> implements Contender.Caller {

  /**
   * Blocks until the lock of a name is held.
   *
   * @param <H> what the library returns for a held lock
   */
  @FunctionalInterface
  interface Take<H> {
    H take(String name) throws Exception;
  }

  /**
   * Releases a held lock; throws if it was lost before.
   *
   * @param <H> what the library returns for a held lock
   */
  @FunctionalInterface
  interface GiveBack<H> {
    void giveBack(H held) throws Exception;
  }

  private final Take<H> take;
  private final GiveBack<H> giveBack;
  private @Nullable H held;

  PeerCaller(Take<H> take, GiveBack<H> giveBack) {
    this.take = take;
    this.giveBack = giveBack;
  }

  /** For libraries whose locks are those of the JDK. */
  static <L extends Lock> PeerCaller<L> ofLocks(Function<String, L> locks) {
    return new PeerCaller<>(
        name -> {
          L lock = locks.apply(name);
          lock.lockInterruptibly();
          return lock;
        },
        Lock::unlock);
  }

  @Override
  public final long acquire(String name) throws Exception {
    H taken = take.take(name);
    held = taken;
    return token(taken);
  }

  /** Returns the fencing token of a held lock. */
  long token(H taken) {
    return NO_TOKEN;
  }

  @Override
  public final void release() throws Exception {
    giveBack.giveBack(Objects.requireNonNull(held));
  }

  @Override
  public final boolean isHeld() {
    return held != null && isHeld(held);
  }

  /** Returns whether a lock is still held, as far as the library knows. */
  boolean isHeld(H taken) {
    return true;
  }

  /** Reports a lock that was lost before its release. */
  static void requireHeld(boolean stillHeld) {
    if (!stillHeld) {
      throw new IllegalStateException("the lock was lost before its release");
    }
  }
}
