package io.holdfast.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What an engine promises and how it wants to be driven. What is not claimed here is refused.
 *
 * @param store the store's address for errors and listings, without secrets
 * @param kinds the primitives
 * @param orders the orders of its mutexes; the first asked-for default is {@link Order#ANY}
 * @param guarantees the promises
 * @param blocking whether a verb may wait for I/O; if not, it runs on the caller's thread
 * @param lanes how many lanes do best, beside the reserved one
 * @param batch the most verbs that one {@link LockEngine#perform} takes
 * @param reserve how long a wanted leave keeps the resource for the first other client that waits;
 *     zero: it does not, and a client that yields stays out by itself
 * @param sessionLease the lease of everything, when it is the client's session that is kept alive
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

  /** Whether a ticket of this shape can be served. */
  public boolean serves(Shape shape) {
    return kinds.contains(shape.kind())
        && (shape.kind() != Shape.Kind.MUTEX || orders.contains(shape.order()));
  }

  /** Whether waiters are signalled. */
  public boolean signals() {
    return guarantees.contains(Guarantee.SIGNALS);
  }
}
