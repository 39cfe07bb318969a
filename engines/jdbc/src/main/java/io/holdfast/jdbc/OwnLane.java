package io.holdfast.jdbc;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The lane of verbs that are called on an engine itself: opened when needed, taken in turns. */
final class OwnLane implements AutoCloseable {

  /** Opens a lane. */
  interface Opener {
    LockEngine open() throws EngineException;
  }

  private final Opener opener;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable LockEngine lane;

  OwnLane(Opener opener) {
    this.opener = opener;
  }

  void perform(List<Verb> batch) {
    lock.lock();
    try {
      if (lane == null) {
        lane = opener.open();
      }
      lane.perform(batch);
      if (batch.stream().anyMatch(Verb::isUnknown)) {
        // What is still on the wire belongs to nobody.
        drop();
      }
    } catch (EngineException e) {
      batch.forEach(verb -> verb.fail(e));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      drop();
    } finally {
      lock.unlock();
    }
  }

  private void drop() {
    if (lane != null) {
      lane.close();
      lane = null;
    }
  }
}
