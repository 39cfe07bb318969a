package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * The wait ended with an attempt in doubt. Nothing is held.
 *
 * <p>What the attempt may have left in the store is removed in the background, at the latest when
 * its lease ends. For a guarded write: it is not known whether the write was executed.
 */
public final class OutcomeUnknownException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  /** For the runtime and for guards; users catch it. */
  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
