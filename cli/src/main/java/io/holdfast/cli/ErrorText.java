package io.holdfast.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;

/** Rewords messages written for programmers for users of the command line. */
public final class ErrorText {

  /** As {@link Duration#toString()} has it. */
  private static final Pattern ISO_TIME =
      Pattern.compile("\\bPT(?:\\d{1,9}H)?(?:\\d{1,9}M)?(?:\\d{1,9}(?:\\.\\d{1,9})?S)?");

  private static final String PARSER_SAYS = "Error: ";

  private ErrorText() {}

  /** What it says; never empty. */
  public static String of(Throwable thrown) {
    String message = thrown.getMessage();
    if (message == null || message.isEmpty()) {
      return thrown.toString();
    }
    if (thrown instanceof ParameterException) {
      return ofParser(message);
    }
    // The API says so of addresses and options; texts of others are left as they are.
    return thrown instanceof IllegalArgumentException ? ofApi(message) : message;
  }

  private static String ofParser(String message) {
    String bare =
        message.startsWith(PARSER_SAYS) ? message.substring(PARSER_SAYS.length()) : message;
    return bare.replaceFirst(" is not an? (long|int)$", " is not a whole number")
        .replaceFirst("^Unmatched arguments? (at|from) index \\d+:", "not understood:");
  }

  private static String ofApi(String message) {
    Matcher times = ISO_TIME.matcher(message);
    return times
        .replaceAll(time -> time(time.group()))
        .replaceFirst("(must be \\w+(?: \\w+)?)\\.\\.(\\w+)", "$1 to $2")
        .replaceFirst("must be >= ", "must be at least ");
  }

  private static String time(String iso) {
    return iso.length() > 2 ? Durations.text(Duration.parse(iso)) : iso;
  }

  /** Why a file cannot be used, with its name. */
  public static String ofFile(IOException trouble) {
    if (!(trouble instanceof FileSystemException of) || of.getFile() == null) {
      return String.valueOf(trouble.getMessage());
    }
    return of.getFile() + " " + what(of);
  }

  private static String what(FileSystemException trouble) {
    if (trouble instanceof NoSuchFileException) {
      return "does not exist";
    }
    if (trouble instanceof AccessDeniedException) {
      return "is not accessible to this user";
    }
    if (trouble instanceof FileAlreadyExistsException || trouble instanceof NotDirectoryException) {
      return "exists and is not a directory";
    }
    return "cannot be used: " + trouble.getReason();
  }
}
