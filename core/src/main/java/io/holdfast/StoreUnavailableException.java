package io.holdfast;

import org.jspecify.annotations.Nullable;

/** The wait ended without a reply of the store. Nothing is held. */
public final class StoreUnavailableException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  /** For the runtime and for guards; users catch it. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
