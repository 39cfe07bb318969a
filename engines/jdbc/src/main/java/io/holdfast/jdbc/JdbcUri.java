package io.holdfast.jdbc;

import io.holdfast.jdbc.JdbcOptions.Database;
import io.holdfast.jdbc.JdbcOptions.Mode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The address of a database. Whatever is wrong, no message quotes what could be a password. */
final class JdbcUri {

  /** Our parameters, without what they begin with. */
  static final Set<String> PARAMETERS =
      Set.of("mode", "table", "create", "signals", "rowConnections");

  private static final String OURS = "holdfast.";
  private static final Map<String, Database> SCHEMES =
      Map.of(
          "postgresql", Database.POSTGRESQL,
          "mariadb", Database.MARIADB,
          "mysql", Database.MYSQL,
          "h2", Database.H2,
          "sqlite", Database.SQLITE);

  private static final String ONCE = "give each parameter once";
  private static final Pattern SECRET = Pattern.compile("(?i)password|passwd|pwd|secret");

  /** What stands where a port would: in {@code //user:password} it is the password. */
  private static final Pattern NO_PORT =
      Pattern.compile("(//[^/\\[(]*?[^/:,\\[(]:)(?!\\d{1,5}(?:[/,]|$))[^/,\\[(]+");

  private JdbcUri() {}

  static JdbcOptions parse(String uri) {
    Database database = database(uri);
    Map<String, String> ours = new LinkedHashMap<>();
    List<String> theirs = new ArrayList<>();
    int query = uri.indexOf('?');
    if (query >= 0) {
      for (String parameter : uri.substring(query + 1).split("&", -1)) {
        if (parameter.startsWith(OURS)) {
          keep(ours, parameter);
        } else {
          theirs.add(parameter);
        }
      }
    }
    requireOnce(theirs);
    String url = query < 0 ? uri : uri.substring(0, query);
    if (!theirs.isEmpty()) {
      url += "?" + String.join("&", theirs);
    }
    requirePort(url);
    requireShared(url, database);
    return new JdbcOptions(
        url,
        database,
        mode(ours.getOrDefault("mode", "table")),
        ours.getOrDefault("table", JdbcOptions.PREFIX),
        flag(ours, "create"),
        flag(ours, "signals"),
        rowConnections(ours),
        "",
        "");
  }

  private static Database database(String uri) {
    String lower = uri.toLowerCase(Locale.ROOT);
    for (Map.Entry<String, Database> scheme : SCHEMES.entrySet()) {
      if (lower.startsWith("jdbc:" + scheme.getKey() + ":")) {
        return scheme.getValue();
      }
    }
    throw new IllegalArgumentException(
        "address must begin with jdbc: and one of "
            + new TreeSet<>(SCHEMES.keySet())
            + ", such as jdbc:postgresql://host/database");
  }

  private static void keep(Map<String, String> ours, String parameter) {
    int equals = parameter.indexOf('=');
    String key = parameter.substring(OURS.length(), equals < 0 ? parameter.length() : equals);
    if (!PARAMETERS.contains(key)) {
      throw new IllegalArgumentException(
          "unknown parameter: " + OURS + key + "; there are " + new TreeSet<>(PARAMETERS));
    }
    String value = equals < 0 ? "" : parameter.substring(equals + 1);
    if (ours.put(key, decode(OURS + key, value)) != null) {
      throw new IllegalArgumentException(ONCE + ": " + OURS + key);
    }
  }

  /** Undoes the percent-encoding; a plus is a plus. */
  private static String decode(String key, String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          key + " must be percent-encoded, a percent sign as %25: " + key + "=" + value, e);
    }
  }

  /**
   * Drivers differ in which of two they take. What follows a password is not quoted: it may be the
   * end of one that has an ampersand in it.
   */
  private static void requireOnce(List<String> parameters) {
    Set<String> names = new HashSet<>();
    boolean afterSecret = false;
    for (String parameter : parameters) {
      int equals = parameter.indexOf('=');
      if (equals == 0) {
        throw new IllegalArgumentException("a parameter must be NAME=VALUE");
      }
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (equals > 0 && !names.add(name)) {
        throw new IllegalArgumentException(
            afterSecret
                ? ONCE + "; in a password an ampersand must be percent-encoded, as %26"
                : ONCE + ": " + name);
      }
      afterSecret |= SECRET.matcher(name).find();
    }
  }

  private static Mode mode(String value) {
    for (Mode mode : Mode.values()) {
      if (mode.name().equalsIgnoreCase(value)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "holdfast.mode must be table or session or row: mode=" + value);
  }

  private static int rowConnections(Map<String, String> ours) {
    String value = ours.get("rowConnections");
    try {
      return value == null ? JdbcOptions.ROW_CONNECTIONS : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "holdfast.rowConnections must be a number: rowConnections=" + value, e);
    }
  }

  private static boolean flag(Map<String, String> ours, String key) {
    String value = ours.getOrDefault(key, "true");
    return switch (value) {
      case "true", "on" -> true;
      case "false", "off" -> false;
      default ->
          throw new IllegalArgumentException(
              OURS + key + " must be true or false, on or off: " + key + "=" + value);
    };
  }

  /** Drivers would quote what is there. */
  private static void requirePort(String url) {
    if (NO_PORT.matcher(withoutLogin(url)).find()) {
      throw new IllegalArgumentException(
          "port must be a number, an IPv6 address in brackets, and a login before an @");
    }
  }

  /** Some addresses mean a database of its own for every connection. */
  private static void requireShared(String url, Database database) {
    String place = address(url).substring(address(url).indexOf(':', "jdbc:".length()) + 1);
    boolean alone =
        switch (database) {
          case SQLITE -> place.isEmpty() || url.contains(":memory:") || url.contains("mode=memory");
          case H2 -> place.equals("mem:");
          default -> false;
        };
    if (alone) {
      throw new IllegalArgumentException(
          "every connection to "
              + address(url)
              + " has a database of its own, or the process has: name a file");
    }
  }

  /** Without parameters, user and password; also where they stand beside a host, in parentheses. */
  static String address(String url) {
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
