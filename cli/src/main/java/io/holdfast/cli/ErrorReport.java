package io.holdfast.cli;

import io.holdfast.HoldfastClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.LockLostException;
import io.holdfast.LockRefusedException;
import io.holdfast.LockTimeoutException;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.spi.EngineException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Prints an error as one line on standard error and returns the exit code. */
public final class ErrorReport {

  private ErrorReport() {}

  /** What a command threw. */
  static int report(Exception thrown, CommandLine command, ParseResult parsed) {
    return report(thrown);
  }

  /** Prints the error and returns the exit code. */
  public static int report(Exception thrown) {
    if (thrown instanceof InterruptedException) {
      return ExitCode.SIGNAL + 2;
    }
    int code = code(thrown);
    if (code == ExitCode.INTERNAL) {
      return fault(thrown);
    }
    String text = ErrorText.of(thrown);
    // An error of a command that waits for a lock says by itself what to do.
    boolean advise = code == ExitCode.STORE && !text.contains("check that");
    say(text + (advise ? "; check that the store is up, and its address" : ""));
    return code;
  }

  /** What should not have been thrown at all. */
  static int fault(Throwable thrown) {
    say(ErrorText.of(thrown));
    say("this is a fault of the program; please report it:");
    thrown.printStackTrace();
    return ExitCode.INTERNAL;
  }

  /** What the parser did not understand. */
  static int reportUsage(ParameterException e, String[] arguments) {
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    say(ErrorText.of(e));
    say("see " + name + " --help");
    return ExitCode.USAGE;
  }

  private static int code(Exception thrown) {
    if (thrown instanceof CliException ours) {
      return ours.exitCode();
    }
    if (thrown instanceof HoldfastException trouble) {
      return code(trouble);
    }
    if (thrown instanceof EngineException || thrown instanceof IdsUnavailableException) {
      return isRefused(thrown) ? ExitCode.REFUSED : ExitCode.STORE;
    }
    // The API says so of addresses, names and numbers, which here come from the command line.
    return thrown instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.INTERNAL;
  }

  /** What ids failed with is their cause. */
  private static boolean isRefused(@Nullable Throwable thrown) {
    return thrown != null
        && (thrown instanceof EngineException.Refused
            || thrown instanceof LockRefusedException
            || isRefused(thrown.getCause()));
  }

  private static int code(HoldfastException trouble) {
    if (trouble instanceof LockTimeoutException) {
      return ExitCode.NOT_ACQUIRED;
    }
    if (trouble instanceof LockLostException || trouble instanceof HoldfastClosedException) {
      return ExitCode.LOST;
    }
    return trouble instanceof LockRefusedException ? ExitCode.REFUSED : ExitCode.STORE;
  }

  private static void say(String message) {
    Screen err = Screen.err();
    // It may quote what others wrote, as the reason for which an operator took a lock.
    err.line(err.paint(Colours.Ink.BAD, "holdfast:") + " " + Screen.safe(message));
  }
}
