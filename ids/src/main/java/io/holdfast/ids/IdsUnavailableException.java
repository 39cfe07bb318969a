package io.holdfast.ids;

import org.jspecify.annotations.Nullable;

/** There is no id now. None was made, and none will be repeated: it is safe to ask again. */
public final class IdsUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Every worker number was asked for, and none can be had now; that may change by itself. */
  private final boolean noWorker;

  IdsUnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, /* noWorker= */ false);
  }

  private IdsUnavailableException(String message, @Nullable Throwable cause, boolean noWorker) {
    super(message, cause);
    this.noWorker = noWorker;
  }

  /** When no worker number can be had now. */
  static IdsUnavailableException noWorker(String message) {
    return new IdsUnavailableException(message, null, /* noWorker= */ true);
  }

  /** Whether it was made by {@link #noWorker(String)}. */
  boolean isNoWorker() {
    return noWorker;
  }
}
