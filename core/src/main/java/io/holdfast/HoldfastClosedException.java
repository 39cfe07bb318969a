package io.holdfast;

import org.jspecify.annotations.Nullable;

/** The client is closed or closing and grants nothing any more. */
public final class HoldfastClosedException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  public HoldfastClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
