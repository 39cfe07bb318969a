package io.holdfast.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a store.
 *
 * @param uri may hold secrets: never printed
 */
public record StoreAddress(String uri) {

  private static final Pattern AUTHORITY = Pattern.compile("//([^/?;]*)@");
  private static final Pattern SECRET =
      Pattern.compile(
          "[?&;(,][^=&;(),]*(password|passwd|pwd|secret|token)[^=&;(),]*=",
          Pattern.CASE_INSENSITIVE);

  /** Without login and parameters, for people. */
  public String shown() {
    return shown(uri);
  }

  /** As {@link #shown()}, so that no log or debugger has secrets either. */
  @Override
  public String toString() {
    return shown();
  }

  private static String shown(String uri) {
    int end = uri.length();
    // MariaDB has parameters in parentheses as well: address=(host=h)(password=p).
    for (char begins : new char[] {'?', ';', '('}) {
      int at = uri.indexOf(begins);
      end = at < 0 ? end : Math.min(end, at);
    }
    String bare = uri.substring(0, end);
    int slashes = bare.indexOf("//");
    int login = bare.lastIndexOf('@');
    return slashes >= 0 && login > slashes
        ? bare.substring(0, slashes + 2) + bare.substring(login + 1)
        : bare;
  }

  /** Whether it has a parameter of ours, such as {@code lease}. */
  public boolean says(String option) {
    return Pattern.compile("[?&]holdfast\\." + Pattern.quote(option) + "=").matcher(uri).find();
  }

  /** Whether there is a password in it. */
  static boolean hasPassword(String uri) {
    Matcher authority = AUTHORITY.matcher(uri);
    return (authority.find() && authority.group(1).contains(":")) || SECRET.matcher(uri).find();
  }

  /** Everybody on the machine can read the arguments of a process. */
  static void refusePassword(String uri) {
    if (hasPassword(uri)) {
      throw new CliException(
          ExitCode.USAGE,
          "--store "
              + shown(uri)
              + ": a password on the command line can be read by everybody on this machine; give it"
              + " as HOLDFAST_PASSWORD, or put the address into HOLDFAST_STORE or the config file");
    }
  }
}
