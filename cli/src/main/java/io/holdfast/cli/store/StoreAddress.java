package io.holdfast.cli.store;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a store.
 *
 * @param uri may hold secrets: never printed
 */
public record StoreAddress(String uri) {

  private static final Pattern AUTHORITY = Pattern.compile("//([^/?]*)");

  /** Two drivers take parameters in place of a host: {@code address=(host=h)(password=p)}. */
  private static final Pattern PARENTHESES = Pattern.compile("(address=)?\\(");

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

  /** The login first: what ends an address, such as a semicolon, may be in a password. */
  private static String shown(String uri) {
    String bare = withoutLogin(uri);
    int end = bare.length();
    for (char begins : new char[] {'?', ';', '('}) {
      int at = bare.indexOf(begins);
      end = at < 0 ? end : Math.min(end, at);
    }
    return bare.substring(0, end);
  }

  /** In doubt it takes away too much. */
  private static String withoutLogin(String uri) {
    Matcher authority = AUTHORITY.matcher(uri);
    if (!authority.find() || isParentheses(uri, authority.group(1))) {
      return uri;
    }
    String before = uri.substring(0, authority.start(1));
    if (isOfMySql(uri) && authority.group(1).contains("(")) {
      return before; // an @ may be of a login before the parentheses, or of a password in them
    }
    // Drivers have passwords behind the database, and others may have a slash in theirs.
    int end = isOf(uri, "jdbc:") ? authority.end() : (uri + "?").indexOf('?');
    int login = uri.lastIndexOf('@', end - 1);
    return before + uri.substring(Math.max(login + 1, authority.start(1)));
  }

  private static boolean isParentheses(String uri, String authority) {
    return isOfMySql(uri) && PARENTHESES.matcher(authority).lookingAt();
  }

  private static boolean isOfMySql(String uri) {
    return isOf(uri, "jdbc:mariadb:") || isOf(uri, "jdbc:mysql:");
  }

  private static boolean isOf(String uri, String scheme) {
    return uri.regionMatches(/* ignoreCase= */ true, 0, scheme, 0, scheme.length());
  }

  /** Whether it has a parameter of ours, such as {@code lease}. */
  public boolean says(String option) {
    return Pattern.compile("[?&]holdfast\\." + Pattern.quote(option) + "=").matcher(uri).find();
  }

  /** Whether there is a password in it. */
  static boolean hasPassword(String uri) {
    Matcher authority = AUTHORITY.matcher(uri);
    return (authority.find() && hasPassword(uri, authority.group(1))) || SECRET.matcher(uri).find();
  }

  private static boolean hasPassword(String uri, String authority) {
    String login = authority.substring(0, authority.lastIndexOf('@') + 1);
    return login.contains(":") && !isParentheses(uri, authority);
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
