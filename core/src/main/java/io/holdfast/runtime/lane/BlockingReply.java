package io.holdfast.runtime.lane;

import io.holdfast.World;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The reply to one verb and the thread that waits for it, uninterruptibly. */
public final class BlockingReply<T> implements Verb.Answer<T>, Consumer<T> {

  private final World world;
  private final Thread waiting = Thread.currentThread();
  private volatile @Nullable T value;
  private volatile @Nullable EngineException failure;

  public BlockingReply(World world) {
    this.world = world;
  }

  @Override
  public void answered(T answer) {
    value = answer;
    goOn();
  }

  @Override
  public void accept(T answer) {
    answered(answer);
  }

  @Override
  public void failed(EngineException why) {
    failure = why;
    goOn();
  }

  private void goOn() {
    if (Thread.currentThread() != waiting) {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * Blocks until there is a reply or a failure; keeps the interrupt flag. Returns null on failure.
   */
  public @Nullable T await() {
    boolean interrupted = false;
    while (value == null && failure == null) {
      world.park(this, Long.MAX_VALUE);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      waiting.interrupt();
    }
    return value;
  }

  public @Nullable EngineException failure() {
    return failure;
  }
}
