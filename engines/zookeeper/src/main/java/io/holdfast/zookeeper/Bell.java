package io.holdfast.zookeeper;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * The one watcher of a path, for all tickets of this client that want to know: those that give up
 * leave nothing behind in the client.
 */
final class Bell implements Watcher {

  /** One that wants to know. */
  interface Listener {

    /** Something happened to what it listens to, or to the session. Does not block. */
    void rung(WatchedEvent event);
  }

  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private final Consumer<Bell> over;

  /**
   * Rings once.
   *
   * @param over takes it when nobody else is to come to it
   */
  Bell(Consumer<Bell> over) {
    this.over = over;
  }

  void add(Listener listener) {
    listeners.add(listener);
  }

  void remove(Listener listener) {
    listeners.remove(listener);
  }

  /**
   * A request that was to arm it failed, and the client does not keep it for that. Whoever armed it
   * by another request is told all the same; who comes next gets a new one.
   */
  void failed() {
    over.accept(this);
  }

  /** On the client's own thread: a signal does not block. A lost connection is no news. */
  @Override
  public void process(WatchedEvent event) {
    if (event.getType() == EventType.None && event.getState() != KeeperState.Expired) {
      return;
    }
    over.accept(this);
    List<Listener> told = List.copyOf(listeners);
    listeners.removeAll(told);
    told.forEach(listener -> listener.rung(event));
  }
}
