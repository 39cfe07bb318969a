package io.holdfast.runtime.acquire;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.renew.LeaseTerms;
import io.holdfast.spi.Resource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Registry of a client's local lines; a line exists only while it is in use. */
public final class LocalLines {

  /** The callers that share a line: the same resource under the same terms. */
  public record Key(Resource resource, LeaseTerms terms) {}

  private final Client client;
  private final ConcurrentMap<Key, LocalLine> lines = new ConcurrentHashMap<>();

  public LocalLines(Client client) {
    this.client = client;
  }

  /** Adds a waiter to its line; returns the line. */
  public LocalLine join(Key key, Waiter waiter) {
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
      // The line died between the look-up and the join and is about to leave the map.
      lines.remove(key, line);
    }
  }

  void remove(Key key, LocalLine line) {
    lines.remove(key, line);
  }

  public int size() {
    return lines.size();
  }

  /** Returns the number of waiters in all lines. */
  public int waiting() {
    return lines.values().stream().mapToInt(LocalLine::waitingHere).sum();
  }

  public void close() {
    lines.values().forEach(LocalLine::close);
  }
}
