package io.holdfast;

import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Token;

/**
 * When a mutex that this client holds may pass from one of its threads to the next without a store
 * call, with which token, and when it must be given to others instead.
 */
class HandOver {

  /*
   * Why a hand-over is safe: the claim stays the same in the store, so no other client can be in;
   * the old hold has ended before the new one begins; the new token is larger than the old one and
   * smaller than every token that the store will mint later. It breaks if a leave of the claim was
   * ever sent, because the store may execute it at any time: such a claim is over.
   */

  private static final long SIGNALLED_SLICE = 20_000_000L;

  private final long slice;
  private final long stayOut;

  HandOver(EngineTraits traits) {
    slice = traits.signals() ? SIGNALLED_SLICE : Backoff.POLL_MOST;
    stayOut = traits.reserve().isZero() ? 2 * slice : 0;
  }

  /** Whether the claim may be handed over once more. */
  boolean allows(Claim claim, int timesBefore, long now) {
    return !claim.isOver()
        && timesBefore < Token.MAX_HAND_OVERS
        && claim.remaining(now) >= claim.terms().lease() / 2;
  }

  /** The token after so many hand-overs. */
  long token(long granted, int times) {
    return Token.handedOver(granted, times);
  }

  /** Whether a client that has had the claim this long gives way to those that want it. */
  boolean yields(Claim claim, long hadFor) {
    return claim.wanted() && hadFor >= slice;
  }

  /** How long a claim is passed around before the store is asked whether others want it. */
  long slice() {
    return slice;
  }

  /** How long a client that gave way stays out; zero where the store keeps the turn of others. */
  long stayOut() {
    return stayOut;
  }
}
