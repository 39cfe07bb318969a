package io.holdfast.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The promises of an engine and how to drive it. What it does not claim is refused.
 *
 * @param store the store's address for errors and listings, without secrets
 * @param kinds the primitives
 * @param orders the orders of its mutexes; the default is {@link Order#ANY}
 * @param guarantees the promises; of an engine that learns them from a server only those that it
 *     has in any case, see {@link LockEngine#guarantees()}
 * @param blocking whether a verb may wait for I/O; if not, it runs on the caller's thread
 * @param lanes the best number of lanes, in addition to the reserved one
 * @param batch the largest number of verbs that one {@link LockEngine#perform} takes
 * @param reserve how long a wanted leave keeps the resource for the first other waiting client;
 *     zero: it does not, and a client that yields stays out by itself
 * @param sessionLease the lease of all tickets, when the client's session is kept alive instead
 */
public record EngineTraits(
    String store,
    Set<Shape.Kind> kinds,
    Set<Order> orders,
    Set<Guarantee> guarantees,
    boolean blocking,
    int lanes,
    int batch,
    Duration reserve,
    Optional<Duration> sessionLease) {

  public EngineTraits {
    kinds = Set.copyOf(kinds);
    orders = Set.copyOf(orders);
    guarantees = Set.copyOf(guarantees);
    if (lanes < 1 || lanes > 64) {
      throw new IllegalArgumentException("lanes must be 1..64: lanes=" + lanes);
    }
    if (batch < 1) {
      throw new IllegalArgumentException("batch must be >= 1: batch=" + batch);
    }
  }

  /** Returns whether a ticket of this shape is supported. */
  public boolean serves(Shape shape) {
    return kinds.contains(shape.kind())
        && (shape.kind() != Shape.Kind.MUTEX || orders.contains(shape.order()));
  }

  /**
   * Returns whether the store keeps records without their client, by {@link LockEngine#settle}:
   * marks of runs, and mutexes that stay taken after their release.
   */
  public boolean keeps() {
    return kinds.contains(Shape.Kind.ONCE);
  }

  /** Returns whether waiters are signalled. */
  public boolean signals() {
    return guarantees.contains(Guarantee.SIGNALS);
  }
}
