package io.holdfast.server.verbs;

import io.holdfast.server.security.Refusal;
import io.holdfast.spi.EngineException;

/** A verb or a call that this server does not pass on to the store: nothing was changed. */
public final class RejectedException extends Exception {

  private static final long serialVersionUID = 1L;

  private static final int UNAUTHENTICATED = 401;
  private static final int OVERLOADED = 429;

  private final transient Refusal refusal;

  RejectedException(Refusal refusal) {
    super(refusal.detail());
    this.refusal = refusal;
  }

  /** Returns why. */
  public Refusal refusal() {
    return refusal;
  }

  /**
   * Returns the failure as an engine would report it. A client without a valid token may get one,
   * and one that is above its limit may get below it: for them it is not final.
   */
  public EngineException toFailure() {
    return refusal.status() == UNAUTHENTICATED || refusal.status() == OVERLOADED
        ? new EngineException.NotDone(refusal.detail(), null)
        : new EngineException.Refused(refusal.detail());
  }
}
