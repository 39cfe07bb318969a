package io.holdfast.tck;

/**
 * A failed assertion about a time bound.
 *
 * <p>Against a real server, a busy machine alone can cause it. It is the only assertion error that
 * a second run may excuse.
 */
public final class TooLateError extends AssertionError {

  private static final long serialVersionUID = 1;

  /** Creates an error whose message says what came too late. */
  public TooLateError(String message) {
    super(message);
  }
}
