package io.holdfast.cli;

/**
 * Exit codes of the program itself.
 *
 * <p>They follow {@code flock} and {@code sysexits.h} where those have a code; {@code docs/cli.md}
 * lists them. A command that ran to its end keeps its own code.
 */
public final class ExitCode {

  /** All went well. */
  public static final int OK = 0;

  /** The lock was not free in time, or what was asked for is not there. */
  public static final int NOT_ACQUIRED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 64;

  /** The store did not reply, or the result is in doubt. */
  public static final int STORE = 69;

  /** A fault of the program itself. */
  public static final int INTERNAL = 70;

  /** What was printed could not be written. */
  public static final int OUTPUT = 74;

  /** The lock was lost while the command ran, which was ended. */
  public static final int LOST = 75;

  /** The store refused for good: rights, shape, configuration. */
  public static final int REFUSED = 77;

  /** The command to run may not be executed. */
  public static final int NOT_EXECUTABLE = 126;

  /** The command to run is not there. */
  public static final int NOT_FOUND = 127;

  /** A signal ended it: this and its number. */
  public static final int SIGNAL = 128;

  private ExitCode() {}
}
