package io.holdfast;

import org.jspecify.annotations.Nullable;

/** What can go wrong with a lock; the type says which kind of trouble it is. */
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
