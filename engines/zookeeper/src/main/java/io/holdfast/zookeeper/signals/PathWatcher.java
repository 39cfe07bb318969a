package io.holdfast.zookeeper.signals;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * The one watcher of a path, shared by all waiting tickets of this client.
 *
 * <p>Sharing means that a ticket that gives up leaves nothing behind in the ZooKeeper client. Safe
 * for several threads.
 */
public final class PathWatcher implements Watcher {

  /** Receives the event of a watched path. */
  public interface Listener {

    /** The watched path or the session changed. Must not block. */
    void onEvent(WatchedEvent event);
  }

  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private final Consumer<PathWatcher> onUsed;

  /**
   * Creates a watcher that fires once.
   *
   * @param onUsed takes the watcher when new listeners must no longer join it
   */
  PathWatcher(Consumer<PathWatcher> onUsed) {
    this.onUsed = onUsed;
  }

  public void add(Listener listener) {
    listeners.add(listener);
  }

  public void remove(Listener listener) {
    listeners.remove(listener);
  }

  /**
   * A request that was to arm this watcher failed, so the client does not keep the watcher for it.
   * Listeners that armed it with another request are still notified; the next listener of the path
   * gets a new watcher.
   */
  public void armingFailed() {
    onUsed.accept(this);
  }

  /** On the client's own thread, so it does not block. A lost connection is not reported. */
  @Override
  public void process(WatchedEvent event) {
    if (event.getType() == EventType.None && event.getState() != KeeperState.Expired) {
      return;
    }
    onUsed.accept(this);
    List<Listener> notified = List.copyOf(listeners);
    listeners.removeAll(notified);
    notified.forEach(listener -> listener.onEvent(event));
  }
}
