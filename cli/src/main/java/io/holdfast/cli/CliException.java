package io.holdfast.cli;

/** Ends the program with a message and an exit code; has no stack trace. */
public final class CliException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /**
   * An end.
   *
   * @param exitCode one of {@link ExitCode}
   * @param message what happened and what to do, without secrets
   */
  public CliException(int exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  /** What the program ends with. */
  public int exitCode() {
    return exitCode;
  }
}
