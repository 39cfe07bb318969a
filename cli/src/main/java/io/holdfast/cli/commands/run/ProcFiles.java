package io.holdfast.cli.commands.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads what Linux reports about processes; empty on other systems. */
final class ProcFiles {

  private static final Path PROC = Path.of("/proc");

  private ProcFiles() {}

  /** The fields behind the name of the program, of which the first is the state. */
  static Optional<String[]> stat(String process) {
    try {
      String line = Files.readString(PROC.resolve(process + "/stat"));
      // The name is in parentheses and may itself contain some.
      return Optional.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether it is over and only waits to be noticed. */
  static boolean isZombie(long pid) {
    return stat(Long.toString(pid)).filter(fields -> fields[0].equals("Z")).isPresent();
  }

  /** The variables that it was started with, each with a NUL behind it; empty if we may not see. */
  static String environment(long pid) {
    try {
      return new String(
          Files.readAllBytes(PROC.resolve(pid + "/environ")), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Whether the terminal sends Ctrl-C to this process: then it has sent it to the command as well,
   * which is in the same process group.
   */
  static boolean isInForeground() {
    return stat("self")
        .filter(
            fields -> fields.length > 5 && !fields[4].equals("0") && fields[2].equals(fields[5]))
        .isPresent();
  }
}
