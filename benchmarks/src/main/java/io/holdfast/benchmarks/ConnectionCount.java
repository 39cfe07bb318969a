package io.holdfast.benchmarks;

import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How many connections one racer has to its server. The server does not say whose a connection is,
 * but racers take turns: what came up while it was this one's turn is its own.
 */
final class ConnectionCount {

  private final Optional<Supplier<Set<String>>> ids;
  private final Set<String> own = new HashSet<>();
  private Set<String> others = new HashSet<>();

  /**
   * A count of none.
   *
   * @param ids of all connections that the server has now; empty if they cannot be seen
   */
  ConnectionCount(Optional<Supplier<Set<String>>> ids) {
    this.ids = ids;
  }

  static ConnectionCount unknown() {
    return new ConnectionCount(Optional.empty());
  }

  /** Its turn begins. */
  void begin() {
    others = seen();
    others.removeAll(own);
  }

  private Set<String> seen() {
    return new HashSet<>(ids.map(Supplier::get).orElse(Set.of()));
  }

  /** Looks during its turn, or at the end of it; answers how many there are, if that is seen. */
  OptionalInt look() {
    Set<String> now = seen();
    now.removeAll(others);
    own.addAll(now);
    own.retainAll(now);
    return ids.isPresent() ? OptionalInt.of(own.size()) : OptionalInt.empty();
  }
}
