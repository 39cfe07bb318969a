package io.holdfast.benchmarks;

/** What was asked for on the command line is not possible; names the value and the rule. */
final class BadOptionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  BadOptionException(String message) {
    super(message);
  }
}
