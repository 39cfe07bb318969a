package io.holdfast;

import org.jspecify.annotations.Nullable;

/** Too many verbs are queued for the store already; this one was not sent. */
public final class OverloadedException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  public OverloadedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
