package io.holdfast.ids;

import org.jspecify.annotations.Nullable;

/** No id is available now. None was used up, so it is safe to try again. */
public final class IdsUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception; generators throw it. */
  public IdsUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
