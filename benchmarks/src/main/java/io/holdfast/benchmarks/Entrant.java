package io.holdfast.benchmarks;

import io.holdfast.spi.Order;
import java.time.Duration;

/**
 * Which contender takes part, as plain data that can be sent to another process.
 *
 * @param kind {@link #HOLDFAST} or the name of a peer
 * @param store the URI, if it needs one; may hold secrets
 * @param order of Holdfast's mutexes; peers have their own
 * @param leaseMillis of locks, where there are leases
 * @param namespace of Holdfast's locks; empty: as the URI says
 */
record Entrant(String kind, String store, Order order, long leaseMillis, String namespace) {

  static final String HOLDFAST = "holdfast";

  private static final long USUAL_LEASE = Duration.ofSeconds(30).toMillis();

  static Entrant holdfast(String store, Order order) {
    return new Entrant(HOLDFAST, store, order, USUAL_LEASE, "");
  }

  /** A peer that needs no store. */
  static Entrant peer(String name) {
    return peer(name, "");
  }

  static Entrant peer(String name, String store) {
    return new Entrant(name, store, Order.ANY, USUAL_LEASE, "");
  }

  boolean isHoldfast() {
    return kind.equals(HOLDFAST);
  }

  Entrant withLease(Duration lease) {
    return new Entrant(kind, store, order, lease.toMillis(), namespace);
  }

  Entrant inNamespace(String name) {
    return new Entrant(kind, store, order, leaseMillis, name);
  }

  /**
   * Makes the contender, without connecting it.
   *
   * @throws BadOptionException when there is no such one
   */
  Contender contender() {
    Duration lease = Duration.ofMillis(leaseMillis);
    return isHoldfast()
        ? new HoldfastContender(store, order, lease, namespace)
        : Peers.named(kind, store, lease);
  }

  /** Without the store, which may hold secrets. */
  @Override
  public String toString() {
    return contender().name();
  }
}
