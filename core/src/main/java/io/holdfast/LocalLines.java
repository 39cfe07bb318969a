package io.holdfast;

import io.holdfast.spi.Resource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The local lines of a client, each only while somebody is in it. */
final class LocalLines {

  /** Who shares a line: the same resource under the same terms. */
  record Key(Resource resource, Terms terms) {}

  private final Client client;
  private final ConcurrentMap<Key, LocalLine> lines = new ConcurrentHashMap<>();

  LocalLines(Client client) {
    this.client = client;
  }

  /** Lets a waiter into its line; answers the line. */
  LocalLine join(Key key, Waiter waiter) {
    while (true) {
      LocalLine line = lines.get(key);
      if (line == null) {
        LocalLine fresh = new LocalLine(client, key);
        line = lines.putIfAbsent(key, fresh);
        line = line == null ? fresh : line;
      }
      if (line.join(waiter)) {
        return line;
      }
      // It died between the look-up and the join; it is on its way out of the map.
      lines.remove(key, line);
    }
  }

  void remove(Key key, LocalLine line) {
    lines.remove(key, line);
  }

  int size() {
    return lines.size();
  }

  /** How many callers wait in all of them. */
  int waiting() {
    return lines.values().stream().mapToInt(LocalLine::waitingHere).sum();
  }

  void close() {
    lines.values().forEach(LocalLine::close);
  }
}
