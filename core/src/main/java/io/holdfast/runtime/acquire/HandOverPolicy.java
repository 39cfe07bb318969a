package io.holdfast.runtime.acquire;

import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Token;

/**
 * Decides when a held mutex passes to another local thread without a store call.
 *
 * <p>It also computes the token of the next hold, and decides when the mutex must be yielded to
 * other clients instead.
 */
public class HandOverPolicy {

  /*
   * Why a hand-over is safe: the claim stays the same in the store, so no other client can be in.
   * The old hold has ended before the new one begins. The new token is larger than the old one and
   * smaller than every token that the store mints later. It would break if a leave of the claim had
   * ever been sent, because the store may execute it at any time: such a claim is over.
   */

  private static final long SIGNALLED_SLICE = 20_000_000L;

  /** Waiters that are not signalled poll twice a second. */
  private static final long POLLED_SLICE = 500_000_000L;

  private final long slice;
  private final long stayOut;

  public HandOverPolicy(EngineTraits traits) {
    slice = traits.signals() ? SIGNALLED_SLICE : POLLED_SLICE;
    stayOut = traits.reserve().isZero() ? 2 * slice : 0;
  }

  /** Returns whether the claim may be handed over once more. */
  public boolean allows(Claim claim, int timesBefore, long now) {
    return !claim.isOver()
        && timesBefore < Token.MAX_HAND_OVERS
        && claim.remaining(now) >= claim.terms().lease() / 2;
  }

  /** Returns the token after the given number of hand-overs. */
  public long token(long granted, int times) {
    return Token.handedOver(granted, times);
  }

  /** Returns whether a client that has had the claim this long yields to other clients. */
  public boolean yields(Claim claim, long hadFor) {
    return claim.wanted() && hadFor >= slice;
  }

  /**
   * Returns how long a claim is handed over locally before the store is asked for other waiters.
   */
  long slice() {
    return slice;
  }

  /**
   * Returns how long a client that yielded stays out; zero where the store keeps the others' turn.
   */
  long stayOut() {
    return stayOut;
  }
}
