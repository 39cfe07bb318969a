package io.holdfast.cli.store;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import org.jspecify.annotations.Nullable;

/** The value of {@code --store} where {@code -} means the environment variable. */
public final class StoreArgument {

  private StoreArgument() {}

  /**
   * Returns the URI: the argument itself, or the variable if the argument is {@code -}.
   *
   * @param environment the value of {@code HOLDFAST_STORE}
   * @throws CliException if the argument contains a password, which other users of the machine
   *     could read; the message does not quote it
   */
  public static String uri(String argument, @Nullable String environment) {
    if (argument.equals("-")) {
      if (environment == null || environment.isBlank()) {
        throw new CliException(ExitCode.USAGE, "--store - needs a URI in HOLDFAST_STORE");
      }
      return environment.strip();
    }
    if (StoreAddress.hasPassword(argument)) {
      throw new CliException(
          ExitCode.USAGE,
          "every user of this machine can read a password on the command line: put the address"
              + " into HOLDFAST_STORE and write --store -");
    }
    return argument;
  }
}
