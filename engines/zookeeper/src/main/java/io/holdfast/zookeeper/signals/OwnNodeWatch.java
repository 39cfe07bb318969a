package io.holdfast.zookeeper.signals;

import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Watches the node of one ticket while it waits or is held. Safe for several threads.
 *
 * <p>Why {@link #isThere} can be trusted when the deletion of another node was just reported: a
 * server reports to a session in the order of its transactions, over one connection. The node was
 * there when the watch was set, and its deletion would have been reported before any later one. A
 * lost connection breaks that order, so nothing is certain until the watch was set again.
 */
public final class OwnNodeWatch implements Watcher {

  private final ZooKeeperConnection connection;
  private final Supplier<String> path;
  private final IntSupplier knownVersion;
  private final Runnable onChange;
  private final Runnable onFailure;
  private final AtomicBoolean armed = new AtomicBoolean();
  private volatile boolean there;
  private volatile boolean gone;

  /**
   * Creates the watch of one ticket, which has its node by the time that the watch is armed.
   *
   * @param knownVersion the last version of the node that the ticket knows
   * @param onChange called when the node was deleted or written to; does not block
   * @param onFailure called when the watch could not be set; does not block
   */
  public OwnNodeWatch(
      ZooKeeperConnection connection,
      Supplier<String> path,
      IntSupplier knownVersion,
      Runnable onChange,
      Runnable onFailure) {
    this.connection = connection;
    this.path = path;
    this.knownVersion = knownVersion;
    this.onChange = onChange;
    this.onFailure = onFailure;
  }

  /** Sets the watch, unless it is set. Does not block. */
  public void arm() {
    if (gone || !armed.compareAndSet(false, true)) {
      return;
    }
    CompletableFuture<?> unused =
        connection
            .read(path.get(), this)
            .whenComplete(
                (node, failure) -> {
                  if (failure == null) {
                    there = !gone;
                    if (node.stat().getVersion() != knownVersion.getAsInt()) {
                      // Written to before it was watched, perhaps by an operator.
                      onChange.run();
                    }
                  } else if (StoreErrors.code(failure) == Code.NONODE) {
                    markGone();
                  } else {
                    armed.set(false);
                    onFailure.run();
                  }
                });
  }

  /** Returns whether the node is there according to everything that was reported so far. */
  public boolean isThere() {
    return there && !gone;
  }

  /** Returns whether the node was found to be deleted. */
  public boolean isGone() {
    return gone;
  }

  /** On the client's own thread. */
  @Override
  public void process(WatchedEvent event) {
    there = false;
    if (event.getType() == EventType.NodeDeleted) {
      markGone();
    } else if (event.getType() != EventType.None) {
      armed.set(false);
      arm();
      onChange.run();
    }
  }

  private void markGone() {
    there = false;
    gone = true;
    onChange.run();
  }
}
