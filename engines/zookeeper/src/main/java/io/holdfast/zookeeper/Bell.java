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

  private final Set<Spot> spots = ConcurrentHashMap.newKeySet();
  private final Consumer<Bell> rung;

  Bell(Consumer<Bell> rung) {
    this.rung = rung;
  }

  void add(Spot spot) {
    spots.add(spot);
  }

  void remove(Spot spot) {
    spots.remove(spot);
  }

  /** On the client's own thread: a signal does not block. A lost connection is no news. */
  @Override
  public void process(WatchedEvent event) {
    if (event.getType() == EventType.None && event.getState() != KeeperState.Expired) {
      return;
    }
    rung.accept(this);
    List<Spot> told = List.copyOf(spots);
    spots.removeAll(told);
    told.forEach(spot -> spot.rung(event));
  }
}
