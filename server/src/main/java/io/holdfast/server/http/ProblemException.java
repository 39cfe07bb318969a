package io.holdfast.server.http;

/** Ends a request with a problem document. */
final class ProblemException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
