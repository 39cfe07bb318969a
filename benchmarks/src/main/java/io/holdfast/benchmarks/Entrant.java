package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;

/**
 * Which contender takes part, as plain data that can be sent to another process.
 *
 * @param kind {@link #HOLDFAST} or the name of a peer
 * @param store the URI for Holdfast; may hold secrets
 * @param order of Holdfast's mutexes; peers have their own
 * @param leaseMillis of Holdfast's holds
 */
record Entrant(String kind, String store, Order order, long leaseMillis) {

  static final String HOLDFAST = "holdfast";

  private static final long USUAL_LEASE = Duration.ofSeconds(30).toMillis();

  static Entrant holdfast(String store, Order order) {
    return new Entrant(HOLDFAST, store, order, USUAL_LEASE);
  }

  static Entrant peer(String name) {
    return new Entrant(name, "", Order.ANY, USUAL_LEASE);
  }

  Entrant withLease(Duration lease) {
    return new Entrant(kind, store, order, lease.toMillis());
  }

  /**
   * Makes the contender, without connecting it.
   *
   * @throws BadOptionException when there is no such one
   */
  Contender contender() {
    return kind.equals(HOLDFAST)
        ? new HoldfastContender(store, order, Duration.ofMillis(leaseMillis))
        : Peers.named(kind);
  }

  /** Without the store, which may hold secrets. */
  @Override
  public String toString() {
    return contender().name();
  }
}
