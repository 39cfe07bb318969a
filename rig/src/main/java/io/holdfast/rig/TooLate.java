package io.holdfast.rig;

/**
 * Something came, but not in time, which may be the fault of a busy machine alone. Of all failed
 * assertions this is the only one that a second run can excuse.
 */
final class TooLate extends AssertionError {

  private static final long serialVersionUID = 1;

  TooLate(String message) {
    super(message);
  }
}
