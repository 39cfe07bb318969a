package io.holdfast;

import org.jspecify.annotations.Nullable;

/** A failure of a lock operation; the subtype says which kind. */
public abstract sealed class HoldfastException extends RuntimeException
    permits HoldfastClosedException,
        LockLostException,
        LockRefusedException,
        LockTimeoutException,
        OutcomeUnknownException,
        OverloadedException,
        StaleTokenException,
        StoreUnavailableException {

  private static final long serialVersionUID = 1L;

  HoldfastException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
