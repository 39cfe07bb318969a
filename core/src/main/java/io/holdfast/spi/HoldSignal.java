package io.holdfast.spi;

/**
 * Tells the runtime that the records of a held resource have changed, so that it renews those holds
 * now instead of at their next renewal.
 *
 * <p>An engine whose store signals changes reports deletions, revocations and evictions here. A
 * report is a hint without facts: it may come too often, late or never. The renewal that follows
 * decides whether the hold is lost.
 */
@FunctionalInterface
public interface HoldSignal {

  /**
   * Something other than this client has changed or removed records of the resource.
   *
   * <p>May be called from any thread. Does not block and does not throw. The engine holds no lock
   * of its own while it calls.
   */
  void changed(Resource resource);
}
