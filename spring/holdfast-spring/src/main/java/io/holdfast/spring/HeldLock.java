package io.holdfast.spring;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import org.jspecify.annotations.Nullable;

/**
 * A hold of a call chain, and what it was acquired for.
 *
 * @param name the name that was locked, without the namespace
 * @param side null for a run or a leadership, which no inner call shares
 * @param fencedBy the transaction manager whose transactions claim the fence; empty for the default
 *     one, null for none
 */
record HeldLock(
    Holdfast client, String name, @Nullable LockSide side, Hold hold, @Nullable String fencedBy) {

  /** Returns whether an inner call that asks for this may share the hold. */
  boolean covers(Holdfast otherClient, String otherName, LockSide otherSide) {
    return client == otherClient
        && name.equals(otherName)
        && (side == otherSide || (side == LockSide.WRITE && otherSide == LockSide.READ));
  }

  HeldLock withFence(@Nullable String manager) {
    return new HeldLock(client, name, side, hold, manager);
  }
}
