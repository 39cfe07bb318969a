package io.holdfast.torture;

/** The command line asks for something that there is not. */
final class BadOptionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadOptionException(String message) {
    super(message);
  }
}
