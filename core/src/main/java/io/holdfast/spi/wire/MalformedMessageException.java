package io.holdfast.spi.wire;

import java.io.IOException;

/** A message does not follow the format. */
public final class MalformedMessageException extends IOException {

  private static final long serialVersionUID = 1L;

  public MalformedMessageException(String message) {
    super(message);
  }

  MalformedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
