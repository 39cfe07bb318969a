package io.holdfast.examples.demo;

/** The story went another way than it must, and cannot go on. */
final class BrokenOffException extends Exception {

  private static final long serialVersionUID = 1L;

  BrokenOffException(String message) {
    super(message);
  }

  BrokenOffException(Throwable cause) {
    super(cause.toString(), cause);
  }
}
