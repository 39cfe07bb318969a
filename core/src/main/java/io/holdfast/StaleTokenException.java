package io.holdfast;

/** A guard refused an outdated token: the writer's hold is over. */
public final class StaleTokenException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  private final long token;
  private final long current;

  /**
   * For guards.
   *
   * @param resource the guarded resource
   * @param token the writer's token
   * @param current the token that the guard has recorded
   */
  public StaleTokenException(String resource, long token, long current) {
    super(
        "stale token for "
            + resource
            + ": "
            + token
            + " is not newer than "
            + current
            + "; the hold behind it is over, so nothing was written",
        null);
    this.token = token;
    this.current = current;
  }

  /** Returns the refused token. */
  public long token() {
    return token;
  }

  /** Returns the token that the guard has recorded. */
  public long current() {
    return current;
  }
}
