package io.holdfast.ids.internal;

import io.holdfast.ids.IdsUnavailableException;

/** Every worker number was tried, and none is free now; waiting may help. */
final class NoFreeWorkerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NoFreeWorkerException(String message) {
    super(message);
  }

  /** Converts to the exception that callers see. */
  IdsUnavailableException toUnavailable() {
    IdsUnavailableException converted =
        new IdsUnavailableException(String.valueOf(getMessage()), null);
    for (Throwable each : getSuppressed()) {
      converted.addSuppressed(each);
    }
    return converted;
  }
}
