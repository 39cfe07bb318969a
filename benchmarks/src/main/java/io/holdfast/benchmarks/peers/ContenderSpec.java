package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.HoldfastContender;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which contender takes part, as plain data that can be sent to another process.
 *
 * @param kind {@link HoldfastContender#NAME} or the name of a peer
 * @param store the URI, if it needs one; may contain secrets
 * @param order of Holdfast's mutexes; peers have their own
 * @param leaseMillis of locks, where there are leases
 */
public record ContenderSpec(String kind, String store, Order order, long leaseMillis) {

  private static final long DEFAULT_LEASE = Duration.ofSeconds(30).toMillis();

  /** Holdfast over a store. */
  public static ContenderSpec holdfast(String store, Order order) {
    return new ContenderSpec(HoldfastContender.NAME, store, order, DEFAULT_LEASE);
  }

  /** A peer that needs no store. */
  public static ContenderSpec peer(String name) {
    return peer(name, "");
  }

  /** A peer over a store. */
  public static ContenderSpec peer(String name, String store) {
    return new ContenderSpec(name, store, Order.ANY, DEFAULT_LEASE);
  }

  /** Holdfast over a database, then the libraries there, then the floor. */
  public static ContenderSpec[] overDatabase(String store) {
    return Stream.concat(
            Stream.of(holdfast(store, Order.ANY)),
            Stream.concat(Peers.DATABASE_LIBRARIES.stream(), Stream.of(Peers.RAW_ROW))
                .map(peer -> peer(peer, store)))
        .toArray(ContenderSpec[]::new);
  }

  /** Whether this is Holdfast, not a peer. */
  public boolean isHoldfast() {
    return kind.equals(HoldfastContender.NAME);
  }

  /** Returns the same contender with another lease. */
  public ContenderSpec withLease(Duration lease) {
    return new ContenderSpec(kind, store, order, lease.toMillis());
  }

  /** Returns the peer that shows what the store costs by itself, if there is one. */
  public Optional<String> floor() {
    return isHoldfast() && !contender().acrossProcesses()
        ? Optional.of(order == Order.FIFO ? Peers.REENTRANT_FAIR : Peers.REENTRANT)
        : Optional.empty();
  }

  /**
   * Returns the contender, without connecting it.
   *
   * @throws io.holdfast.cli.CliException if there is no such peer or its store has another form
   */
  public Contender contender() {
    Duration lease = Duration.ofMillis(leaseMillis);
    return isHoldfast()
        ? new HoldfastContender(store, order, lease, /* namespace= */ "")
        : Peers.named(kind, store, lease);
  }

  /** Omits the store, which may contain secrets. */
  @Override
  public String toString() {
    return contender().name();
  }
}
