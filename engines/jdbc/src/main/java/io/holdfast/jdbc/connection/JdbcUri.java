package io.holdfast.jdbc.connection;

import io.holdfast.spi.support.UriParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The parsed address of a database. No message quotes a part that could be a password.
 *
 * @param url the driver's URL: the address without the parameters of Holdfast, with secrets
 * @param scheme the kind of database, such as {@code postgresql}
 * @param parameters the parameters of Holdfast, with their prefix
 */
public record JdbcUri(String url, String scheme, UriParameters parameters) {

  /** The prefix of the parameters of Holdfast. */
  public static final String OURS = "holdfast.";

  /** The parameters of Holdfast, without their prefix. */
  public static final Set<String> PARAMETERS =
      Set.of("mode", "table", "create", "signals", "rowConnections");

  /** The default beginning of all table names. */
  public static final String PREFIX = "holdfast_";

  private static final Set<String> KNOWN =
      PARAMETERS.stream().map(OURS::concat).collect(Collectors.toUnmodifiableSet());

  private static final Set<String> SCHEMES =
      Set.of("postgresql", "mariadb", "mysql", "h2", "sqlite");

  private static final Pattern PREFIXES =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,39}\\.)?[A-Za-z_][A-Za-z0-9_]{0,39}");

  /** Text in the position of a port: in {@code //user:password} it is the password. */
  private static final Pattern NO_PORT =
      Pattern.compile("(//[^/\\[(]*?[^/:,\\[(]:)(?!\\d{1,5}(?:[/,]|$))[^/,\\[(]+");

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException when it is not understood; the message has no secrets
   */
  public static JdbcUri parse(String uri) {
    String scheme = schemeOf(uri);
    List<String> ours = new ArrayList<>();
    List<String> theirs = new ArrayList<>();
    int query = uri.indexOf('?');
    if (query >= 0) {
      for (String parameter : uri.substring(query + 1).split("&", -1)) {
        (parameter.startsWith(OURS) ? ours : theirs).add(parameter);
      }
    }
    UriParameters parameters = UriParameters.parse("jdbc", String.join("&", ours), KNOWN);
    UriParameters.requireDistinct(theirs);
    String url = query < 0 ? uri : uri.substring(0, query);
    if (!theirs.isEmpty()) {
      url += "?" + String.join("&", theirs);
    }
    requirePort(url);
    requireShared(url, scheme);
    return new JdbcUri(url, scheme, parameters);
  }

  private static String schemeOf(String uri) {
    String lower = uri.toLowerCase(Locale.ROOT);
    for (String scheme : SCHEMES) {
      if (lower.startsWith("jdbc:" + scheme + ":")) {
        return scheme;
      }
    }
    throw new IllegalArgumentException(
        "address must begin with jdbc: and one of "
            + new TreeSet<>(SCHEMES)
            + ", such as jdbc:postgresql://host/database");
  }

  /** Checked here because drivers quote the text in their messages. */
  private static void requirePort(String url) {
    if (NO_PORT.matcher(withoutLogin(url)).find()) {
      throw new IllegalArgumentException(
          "port must be a number, an IPv6 address in brackets, and a login before an @");
    }
  }

  /** Some addresses mean a separate database for every connection. */
  private static void requireShared(String url, String scheme) {
    String place = address(url).substring(address(url).indexOf(':', "jdbc:".length()) + 1);
    boolean alone =
        switch (scheme) {
          case "sqlite" ->
              place.isEmpty() || url.contains(":memory:") || url.contains("mode=memory");
          case "h2" -> place.equals("mem:");
          default -> false;
        };
    if (alone) {
      throw new IllegalArgumentException(
          "every connection to "
              + address(url)
              + " has a database of its own, or the process has: name a file");
    }
  }

  /**
   * Returns the prefix of table names if it is a plain one.
   *
   * @throws IllegalArgumentException otherwise
   */
  public static String requirePrefix(String prefix) {
    if (!PREFIXES.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "table must be a plain name that the tables' names begin with, letters, digits and _,"
              + " with or without a schema: table="
              + prefix);
    }
    return prefix;
  }

  /** Returns the beginning of all table names. */
  public String prefix() {
    return requirePrefix(parameters.text(OURS + "table").orElse(PREFIX));
  }

  /** Removes parameters, user and password from a URL, even next to a host in parentheses. */
  public static String address(String url) {
    return NO_PORT
        .matcher(withoutLogin(url).replaceAll("(?i)(user|password\\d?)=[^,()]*", "$1=…"))
        .replaceFirst("$1…");
  }

  private static String withoutLogin(String url) {
    int end = url.length();
    for (char begins : new char[] {'?', ';'}) {
      int at = url.indexOf(begins);
      end = at < 0 ? end : Math.min(end, at);
    }
    String bare = url.substring(0, end);
    int slashes = bare.indexOf("//");
    int login = bare.lastIndexOf('@');
    return slashes >= 0 && login > slashes
        ? bare.substring(0, slashes + 2) + bare.substring(login + 1)
        : bare;
  }
}
