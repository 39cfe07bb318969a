package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs single scripts for any number of threads, over connections that it opens itself. */
public final class ScriptRunner implements AutoCloseable {

  /** Opens a connection. */
  public interface Opener {

    /** Returns an open connection; blocks for I/O. */
    LaneConnection open() throws EngineException;
  }

  private final String closedMessage;
  private final Opener opener;
  private final boolean shares;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable LaneConnection connection;
  private volatile boolean closed;

  private ScriptRunner(String closedMessage, Opener opener, boolean shares) {
    this.closedMessage = closedMessage;
    this.opener = opener;
    this.shares = shares;
  }

  /**
   * Creates a runner over one connection, opened when needed; callers take turns.
   *
   * @param closedMessage the message of the refusal after the runner was closed
   */
  public static ScriptRunner sharing(String closedMessage, Opener opener) {
    return new ScriptRunner(closedMessage, opener, true);
  }

  /** Creates a runner that takes a connection from a pool for each script. */
  public static ScriptRunner pooled(Opener opener) {
    return new ScriptRunner("", opener, false);
  }

  /** Runs a script. Blocks for its reply; never throws for what became of it. */
  public ScriptReply run(ScriptCall call) {
    try {
      return shares ? runShared(call) : runPooled(call);
    } catch (EngineException e) {
      return new ScriptReply.Failed(e);
    }
  }

  private ScriptReply runPooled(ScriptCall call) throws EngineException {
    try (LaneConnection own = opener.open()) {
      return own.run(List.of(call)).get(0);
    }
  }

  private ScriptReply runShared(ScriptCall call) throws EngineException {
    lock.lock();
    try {
      LaneConnection open = connection;
      if (open == null && !closed) {
        open = opener.open();
        connection = open;
      }
      if (closed || open == null) {
        close();
        throw new EngineException.Refused(closedMessage);
      }
      return open.run(List.of(call)).get(0);
    } finally {
      lock.unlock();
    }
  }

  /** Closes the connection, if one is open; breaks off a call that is under way. */
  @Override
  public void close() {
    closed = true;
    LaneConnection open = connection;
    if (open != null) {
      open.close();
    }
  }
}
