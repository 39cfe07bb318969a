package io.holdfast.cli.bench;

import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How many connections one entry has to its server. The server does not say whose a connection is,
 * but entries take turns: what came up while it was this one's turn is its own.
 */
public final class ConnectionCount {

  private final Optional<Supplier<Set<String>>> ids;
  private final Set<String> own = new HashSet<>();
  private Set<String> others = new HashSet<>();

  /**
   * A count of none.
   *
   * @param ids of all connections that the server has now; empty if they cannot be seen
   */
  public ConnectionCount(Optional<Supplier<Set<String>>> ids) {
    this.ids = ids;
  }

  /** Counts the connections at this store, if it can list them. */
  public static ConnectionCount at(String uri) {
    return new ConnectionCount(ServerConnections.at(uri));
  }

  public static ConnectionCount unknown() {
    return new ConnectionCount(Optional.empty());
  }

  /** Its turn begins. */
  public void begin() {
    others = seen();
    others.removeAll(own);
  }

  private Set<String> seen() {
    return new HashSet<>(ids.map(Supplier::get).orElse(Set.of()));
  }

  /** Counts during the entry's turn or at its end; returns the count, if it was seen. */
  public OptionalInt look() {
    Set<String> now = seen();
    now.removeAll(others);
    own.addAll(now);
    own.retainAll(now);
    return ids.isPresent() ? OptionalInt.of(own.size()) : OptionalInt.empty();
  }
}
