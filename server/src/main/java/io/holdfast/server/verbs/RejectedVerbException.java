package io.holdfast.server.verbs;

import io.holdfast.spi.EngineException;

/** A verb that this server does not pass on to the store. */
public final class RejectedVerbException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Why a verb is rejected. */
  public enum Cause {
    /** The client has no right to it. */
    DENIED,
    /** The request itself is wrong. */
    REFUSED,
    /** Too many attempts wait for the store. */
    OVERLOADED
  }

  private final Cause cause;

  RejectedVerbException(Cause cause, String message) {
    super(message);
    this.cause = cause;
  }

  /** Returns why. */
  public Cause why() {
    return cause;
  }

  /** Returns the failure as an engine would report it. */
  public EngineException toFailure() {
    String message = String.valueOf(getMessage());
    return cause == Cause.OVERLOADED
        ? new EngineException.NotDone(message, null)
        : new EngineException.Refused(message);
  }
}
