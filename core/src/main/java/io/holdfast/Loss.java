package io.holdfast;

/**
 * The end of a hold that nobody released.
 *
 * @param reason for people: what happened, to which name, at which store; of a hold that expired
 *     also what the last renewal failed with, such as rights that were taken away
 */
public record Loss(Cause cause, String name, long token, String reason) {

  /** Why a hold was lost. */
  public enum Cause {
    /** No renewal was confirmed in time, or a fixed lease ran out. */
    EXPIRED,
    /** The store does not know the claim any more: it ended there, was deleted or taken. */
    TAKEN,
    /** An operator took it away. */
    REVOKED,
    /** The session with the store is over. */
    SESSION_OVER,
    /** It was held longer than {@link HoldfastOptions#maxHold()} allows. */
    MAX_HOLD,
    /** Nobody can release it any more: its handle is unreachable or its thread has died. */
    ABANDONED,
    /** The client was closed. */
    CLOSED
  }

  @Override
  public String toString() {
    return cause + ": " + reason;
  }
}
