package io.holdfast.spi;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lane for verbs that are called on an engine itself.
 *
 * <p>It is opened when needed, shared by callers in turn, and opened again after a missing reply.
 */
public final class OwnLane implements AutoCloseable {

  /** Opens a lane; may block. */
  public interface Opener {

    /** Creates a lane that no other caller shares. */
    LockEngine open() throws EngineException;
  }

  private final Opener opener;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable LockEngine lane;

  /** Creates a lane that is not open yet. */
  public OwnLane(Opener opener) {
    this.opener = opener;
  }

  /** Performs a batch after earlier ones; completes each verb. Blocks as a lane does. */
  public void perform(List<Verb> batch) {
    lock.lock();
    try {
      if (lane == null) {
        lane = opener.open();
      }
      lane.perform(batch);
      if (batch.stream().anyMatch(Verb::isUnknown)) {
        // Replies that are still on the wire belong to no verb.
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
