package io.holdfast.ids;

import org.jspecify.annotations.Nullable;

/** There is no id now. None was made, and none will be repeated: it is safe to ask again. */
public final class IdsUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  IdsUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
