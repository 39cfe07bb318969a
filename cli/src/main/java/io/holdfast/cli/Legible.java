package io.holdfast.cli;

import java.util.List;

/**
 * Says no to arguments that Java could not read. It reads them in the encoding of the locale, and
 * what does not fit becomes U+FFFD: two names could become one, and a command get other arguments
 * than were given.
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
      if (arguments.get(i).indexOf(MANGLED) >= 0) {
        throw new CliException(
            ExitCode.USAGE,
            "argument "
                + (i + 1)
                + " has characters that this locale cannot read; set LC_ALL=C.UTF-8");
      }
    }
  }
}
