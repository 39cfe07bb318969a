package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.OpenSockets;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.spi.EngineException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The connection of one lane to one master: open, in progress, or none. */
final class MasterSlot {

  private final RedlockMaster master;
  private final OpenSockets sockets;
  private final Semaphore arrivals;
  private @Nullable CompletableFuture<VotingConnection> connecting;
  private @Nullable VotingConnection voter;

  /**
   * Creates a slot without a connection.
   *
   * @param arrivals gets a permit when connecting has succeeded or failed
   */
  MasterSlot(RedlockMaster master, OpenSockets sockets, Semaphore arrivals) {
    this.master = master;
    this.sockets = sockets;
    this.arrivals = arrivals;
  }

  RedlockMaster master() {
    return master;
  }

  /** Takes a finished connection, or begins to connect if it is time. */
  void fill() {
    if (voter == null && connecting != null && connecting.isDone()) {
      voter = connecting.isCompletedExceptionally() ? null : connecting.join();
      connecting = null;
    }
    if (voter == null && connecting == null && master.mayConnect()) {
      connecting = master.connect(sockets, arrivals::release);
    }
  }

  /** Returns whether a connection is in progress to a master that is thought to be reachable. */
  boolean isAwaited() {
    return voter == null
        && connecting != null
        && !connecting.isDone()
        && !master.isOverdue()
        && master.trouble() == null;
  }

  /** The lane has waited long enough: from now on no lane waits for this master. */
  void stopWaiting() {
    if (isAwaited()) {
      master.overdue();
    }
  }

  /** Returns the connection, if there is one. */
  @Nullable VotingConnection voter() {
    return voter;
  }

  /** Drops the connection: later replies belong to no call. */
  void drop(EngineException why) {
    if (voter != null) {
      voter.connection().cut();
      voter = null;
      if (!sockets.isClosed()) {
        master.failed(why);
      }
    }
  }

  /** Returns the replies of a master that is not connected. */
  MasterReplies absent(List<ScriptCall> calls) {
    EngineException trouble = master.trouble();
    EngineException why =
        trouble instanceof EngineException.Refused
            ? trouble
            : new EngineException.NotDone(
                "is not connected: " + (trouble == null ? "not yet" : trouble.getMessage()),
                trouble);
    ScriptReply reply = new ScriptReply.Failed(why);
    return new MasterReplies(
        master.server(), false, "", calls.stream().map(call -> reply).toList());
  }
}
