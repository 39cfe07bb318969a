package io.holdfast.spi;

/**
 * Notifies the runtime that the records of a held resource have changed.
 *
 * <p>The runtime then renews those holds at once instead of at their next renewal. If very many
 * resources are reported, as after a reconnect, it renews 500 of them every 50 ms.
 *
 * <p>An engine whose store signals changes reports deletions, revocations and evictions here. A
 * report is a hint without facts: it may come too often, late or never. The renewal that follows
 * decides whether the hold is lost.
 */
@FunctionalInterface
public interface HoldSignal {

  /**
   * Reports that something other than this client has changed or removed records of the resource.
   *
   * <p>May be called from any thread. Does not block and does not throw. The engine must not hold a
   * lock of its own while it calls.
   */
  void changed(Resource resource);
}
