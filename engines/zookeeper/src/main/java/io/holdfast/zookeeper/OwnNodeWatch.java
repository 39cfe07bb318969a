package io.holdfast.zookeeper;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Watches the node of one ticket while it waits or is held. Safe for several threads.
 *
 * <p>Why {@link #isThere} can be trusted when another node was just reported as deleted: a server
 * reports to a session in the order of its transactions, over one connection. The node was there
 * when the watch was set, and its deletion would have been reported before any later one. A lost
 * connection ends that order, so nothing is sure any more until the watch was set again.
 */
final class OwnNodeWatch implements Watcher {

  private final Spot spot;
  private final Runnable changed;
  private final AtomicBoolean armed = new AtomicBoolean();
  private volatile boolean there;
  private volatile boolean gone;

  /**
   * For one ticket, which has its node by the time that it is armed.
   *
   * @param changed called when the node was deleted or written to; does not block
   */
  OwnNodeWatch(Spot spot, Runnable changed) {
    this.spot = spot;
    this.changed = changed;
  }

  /** Sets the watch, if it is not set. Does not block. */
  void arm() {
    if (gone || !armed.compareAndSet(false, true)) {
      return;
    }
    CompletableFuture<?> unused =
        spot.session
            .wire()
            .data(spot.node(), this)
            .whenComplete(
                (node, failure) -> {
                  if (failure == null) {
                    there = !gone;
                    if (node.stat().getVersion() != spot.version) {
                      // Written to before it was watched: perhaps by an operator.
                      changed.run();
                    }
                  } else if (Words.code(failure) == Code.NONODE) {
                    gone();
                  } else {
                    armed.set(false);
                  }
                });
  }

  /** Whether the node is there as far as everything goes that was reported so far. */
  boolean isThere() {
    return there && !gone;
  }

  /** Whether the node was found to be deleted. */
  boolean isGone() {
    return gone;
  }

  /** On the client's own thread. */
  @Override
  public void process(WatchedEvent event) {
    there = false;
    if (event.getType() == EventType.NodeDeleted) {
      gone();
    } else if (event.getType() != EventType.None) {
      armed.set(false);
      arm();
      changed.run();
    }
  }

  private void gone() {
    there = false;
    gone = true;
    changed.run();
  }
}
