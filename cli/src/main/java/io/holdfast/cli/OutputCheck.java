package io.holdfast.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks that printed output was written. */
final class OutputCheck {

  private OutputCheck() {}

  /**
   * The code to end with: {@link ExitCode#OUTPUT}, and a line on standard error, if standard output
   * could not be written. A reader that has ended, as {@code head}, had what it wanted. A failure
   * that was already reported does not change.
   */
  static int checked(int code) {
    if (!System.out.checkError()) {
      return code;
    }
    String why = reason();
    if (why.contains("Broken pipe") || isPipe()) {
      return code;
    }
    Screen.err()
        .line(
            "holdfast: standard output could not be written ("
                + why
                + "): what was printed is not complete; make room, or write it elsewhere");
    return code > ExitCode.NOT_ACQUIRED ? code : ExitCode.OUTPUT;
  }

  /** Java keeps the failure for itself, but the same happens again. */
  private static String reason() {
    try {
      // Not closed: it is the process's.
      new FileOutputStream(FileDescriptor.out).write('\n');
      return "for a while";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** On a pipe writing fails for no other reason than that nobody reads, whatever the language. */
  private static boolean isPipe() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
