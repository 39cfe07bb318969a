package io.holdfast.remote.connection;

import java.io.IOException;

/** A server replied, and does not let this client in. */
public final class RefusedByServerException extends IOException {

  private static final long serialVersionUID = 1L;

  RefusedByServerException(String message) {
    super(message);
  }
}
