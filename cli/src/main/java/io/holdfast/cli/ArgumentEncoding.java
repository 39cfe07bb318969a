package io.holdfast.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses arguments and variables that Java could not decode.
 *
 * <p>Java decodes them with the encoding of the locale and replaces what does not fit by U+FFFD:
 * two names could become one, and a command could get other arguments than were given.
 */
public final class ArgumentEncoding {

  private static final char MANGLED = '\uFFFD';

  private ArgumentEncoding() {}

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
  public static @Nullable String variable(Map<String, String> environment, String name) {
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
