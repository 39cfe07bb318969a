package io.holdfast;

import org.jspecify.annotations.Nullable;

/** Permanently refused: shape, rights, generation or configuration. Waiting would not help. */
public final class LockRefusedException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  /** For the runtime and for guards; users catch it. */
  public LockRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
