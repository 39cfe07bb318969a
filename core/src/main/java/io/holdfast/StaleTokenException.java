package io.holdfast;

/** A guard refused a token that is older than one it has seen: the writer's hold is over. */
public final class StaleTokenException extends HoldfastException {

  private static final long serialVersionUID = 1L;

  private final long token;
  private final long current;

  /**
   * For guards.
   *
   * @param resource what is guarded
   * @param token what the writer showed
   * @param current what the guard has seen
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

  /** The token that was refused. */
  public long token() {
    return token;
  }

  /** The token that stands. */
  public long current() {
    return current;
  }
}
