package io.holdfast.spi;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lane of verbs that are called on an engine itself: opened when needed, taken in turns by
 * whoever calls, and opened anew after an answer that stayed out.
 */
public final class OwnLane implements AutoCloseable {

  /** Opens a lane; may block. */
  public interface Opener {

    /** A lane that nobody else has. */
    LockEngine open() throws EngineException;
  }

  private final Opener opener;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable LockEngine lane;

  /** A lane that is not open yet. */
  public OwnLane(Opener opener) {
    this.opener = opener;
  }

  /** Performs a batch when those before it are done; completes each verb. Blocks as a lane does. */
  public void perform(List<Verb> batch) {
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

  /** Closes the lane, if it is open. */
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
