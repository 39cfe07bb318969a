package io.holdfast.zookeeper;

import java.util.concurrent.ConcurrentHashMap;

/** The watchers of a session, one for each path and kind. Safe for several threads. */
final class Bells {

  private final ConcurrentHashMap<String, Bell> bells = new ConcurrentHashMap<>();

  /** For what happens to a node. */
  Bell ofNode(String path) {
    return bell("n" + path);
  }

  /** For what happens to a node's children. */
  Bell ofChildren(String path) {
    return bell("c" + path);
  }

  /**
   * A bell that has just rung may be answered: it is armed anew by whoever asks, and rings again
   * for those that came to it since.
   */
  private Bell bell(String key) {
    return bells.computeIfAbsent(key, k -> new Bell(rung -> bells.remove(k, rung)));
  }

  /** How many paths are watched. */
  int size() {
    return bells.size();
  }
}
