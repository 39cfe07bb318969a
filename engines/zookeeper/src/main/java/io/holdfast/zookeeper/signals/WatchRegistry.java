package io.holdfast.zookeeper.signals;

import java.util.concurrent.ConcurrentHashMap;

/** The watchers of a session, one for each path and kind. Safe for several threads. */
public final class WatchRegistry {

  private final ConcurrentHashMap<String, PathWatcher> watchers = new ConcurrentHashMap<>();

  /** Returns the watcher for changes of a node. */
  public PathWatcher ofNode(String path) {
    return watcher("n" + path);
  }

  /** Returns the watcher for changes of a node's children. */
  public PathWatcher ofChildren(String path) {
    return watcher("c" + path);
  }

  /**
   * May return a watcher that has just fired: the request that follows arms it again, and it fires
   * again for the listeners that joined since.
   */
  private PathWatcher watcher(String key) {
    return watchers.computeIfAbsent(key, k -> new PathWatcher(used -> watchers.remove(k, used)));
  }

  /** Returns how many paths are watched. */
  public int size() {
    return watchers.size();
  }
}
