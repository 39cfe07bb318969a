package io.holdfast.tck;

import io.holdfast.spi.Verb;

/** The kinds of verbs that an engine performs. */
public enum VerbKind {
  /** {@link io.holdfast.spi.LockEngine#attempt}. */
  ATTEMPT,
  /** {@link io.holdfast.spi.LockEngine#renew}. */
  RENEW,
  /** {@link io.holdfast.spi.LockEngine#leave}. */
  LEAVE,
  /** {@link io.holdfast.spi.LockEngine#settle}. */
  SETTLE,
  /** {@link io.holdfast.spi.LockEngine#resize}. */
  RESIZE;

  /** The kind of a verb. */
  public static VerbKind of(Verb verb) {
    if (verb instanceof Verb.Attempt) {
      return ATTEMPT;
    } else if (verb instanceof Verb.Renew) {
      return RENEW;
    } else if (verb instanceof Verb.Leave) {
      return LEAVE;
    } else if (verb instanceof Verb.Settle) {
      return SETTLE;
    }
    return RESIZE;
  }
}
