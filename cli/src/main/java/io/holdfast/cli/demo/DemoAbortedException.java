package io.holdfast.cli.demo;

/** The demo did not go as it must, and cannot go on. */
final class DemoAbortedException extends Exception {

  private static final long serialVersionUID = 1L;

  DemoAbortedException(String message) {
    super(message);
  }

  DemoAbortedException(Throwable cause) {
    super(cause.toString(), cause);
  }
}
