package io.holdfast.spring.boot;

import org.jspecify.annotations.Nullable;

/** There is no store to connect to as the application is configured. */
final class StoreConfigurationException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String action;

  /**
   * Creates an exception.
   *
   * @param problem what is wrong, with the property and its value but no secret
   * @param action what to do, as a sentence without its full stop
   */
  StoreConfigurationException(String problem, String action, @Nullable Throwable cause) {
    super(problem + "; " + action, cause);
    this.problem = problem;
    this.action = action;
  }

  StoreConfigurationException(String problem, String action) {
    this(problem, action, null);
  }

  String problem() {
    return problem;
  }

  String action() {
    return action;
  }
}
