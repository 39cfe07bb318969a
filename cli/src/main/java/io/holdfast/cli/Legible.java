package io.holdfast.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says no to arguments and variables that Java could not read. It reads them in the encoding of the
 * locale, and what does not fit becomes U+FFFD: two names could become one, and a command get other
 * arguments than were given.
 */
final class Legible {

  private static final char MANGLED = '\uFFFD';

  private Legible() {}

  /**
   * Returns if all were read.
   *
   * @throws CliException with {@link ExitCode#USAGE}; does not quote the argument
   */
  static void require(List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      require("argument " + (i + 1), arguments.get(i));
    }
  }

  /**
   * The variable of that name, if it is there.
   *
   * @throws CliException with {@link ExitCode#USAGE}; does not quote it
   */
  static @Nullable String variable(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value != null) {
      require(name, value);
    }
    return value;
  }

  private static void require(String what, String text) {
    if (text.indexOf(MANGLED) >= 0) {
      throw new CliException(
          ExitCode.USAGE,
          what + " has characters that this locale cannot read; set LC_ALL=C.UTF-8");
    }
  }
}
