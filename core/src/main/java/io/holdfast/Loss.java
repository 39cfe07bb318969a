package io.holdfast;

/**
 * The end of a hold that was not released.
 *
 * @param reason a description for people: what happened, to which name, at which store. For a hold
 *     that expired it includes the failure of the last renewal, such as missing rights
 */
public record Loss(Cause cause, String name, long token, String reason) {

  /** Why a hold was lost. */
  public enum Cause {
    /** No renewal was confirmed in time, or a fixed lease ran out. */
    EXPIRED,
    /** The store does not know the claim any more: it expired there, was deleted or was taken. */
    TAKEN,
    /** An operator took it away. */
    REVOKED,
    /** The session with the store has ended. */
    SESSION_OVER,
    /** It was held longer than {@link HoldfastOptions#maxHold()} allows. */
    MAX_HOLD,
    /** No thread can release it any more: its handle is unreachable or its thread has died. */
    ABANDONED,
    /** The client was closed. */
    CLOSED
  }

  @Override
  public String toString() {
    return cause + ": " + reason;
  }
}
