package io.holdfast.etcd;

import io.holdfast.etcd.EtcdOptions.Tls;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads addresses. Quotes of them only what cannot be a secret. */
final class EtcdUri {

  private static final int PORT = 2379;
  private static final String PREFIX = "prefix";
  private static final Set<String> PARAMETERS =
      Set.of(PREFIX, "trustStore", "trustStorePassword", "keyStore", "keyStorePassword");

  private static final Set<String> SECRET = Set.of("trustStorePassword", "keyStorePassword");

  private EtcdUri() {}

  static EtcdOptions parse(String uri) {
    int colon = uri.indexOf("://");
    String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!scheme.equals("etcd") && !scheme.equals("etcds")) {
      throw new IllegalArgumentException("address must begin with etcd:// or etcds://");
    }
    String rest = uri.substring(colon + "://".length());
    int query = rest.indexOf('?');
    String authority = query < 0 ? rest : rest.substring(0, query);
    int at = authority.lastIndexOf('@');
    if (authority.indexOf('/', at + 1) >= 0 || rest.indexOf('@', authority.length()) >= 0) {
      throw new IllegalArgumentException(
          "an address has no path; in user, password and parameters write @ as %40, / as %2F,"
              + " ? as %3F");
    }
    // Hosts before parameters: a password that was not escaped, or has no host behind it, is met
    // here, and nothing of it is quoted.
    String[] login = login(at < 0 ? "" : authority.substring(0, at));
    List<InetSocketAddress> servers = servers(authority.substring(at + 1));
    Map<String, String> parameters = parameters(query < 0 ? "" : rest.substring(query + 1));
    String prefix = parameters.remove(PREFIX);
    return new EtcdOptions(
        servers,
        login[0],
        login[1],
        tls(scheme.equals("etcds"), parameters),
        prefix == null ? EtcdOptions.DEFAULT_PREFIX : prefix);
  }

  private static Optional<Tls> tls(boolean wanted, Map<String, String> parameters) {
    if (!wanted) {
      if (!parameters.isEmpty()) {
        throw new IllegalArgumentException(
            "these parameters need TLS, so the address must begin with etcds://: "
                + new TreeSet<>(parameters.keySet()));
      }
      return Optional.empty();
    }
    return Optional.of(
        new Tls(
            Optional.ofNullable(parameters.get("trustStore")).map(Path::of),
            parameters.getOrDefault("trustStorePassword", ""),
            Optional.ofNullable(parameters.get("keyStore")).map(Path::of),
            parameters.getOrDefault("keyStorePassword", "")));
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      if (!PARAMETERS.contains(name)) {
        throw new IllegalArgumentException(
            unknown(name, equals >= 0, parameters.keySet())
                + "; there are "
                + new TreeSet<>(PARAMETERS));
      }
      if (parameters.put(name, decode(name, equals < 0 ? "" : part.substring(equals + 1)))
          != null) {
        throw new IllegalArgumentException("give each parameter once: " + name);
      }
    }
    return parameters;
  }

  /** What cannot be a name may be the end of a secret with an ampersand in it: not quoted. */
  private static String unknown(String name, boolean hasValue, Set<String> before) {
    if (before.stream().anyMatch(SECRET::contains)) {
      return "unknown parameter after a password, in which an ampersand must be percent-encoded, as"
          + " %26";
    }
    return hasValue ? "unknown parameter: " + name : "a parameter must be NAME=VALUE";
  }

  private static String[] login(String text) {
    if (text.isEmpty()) {
      return new String[] {"", ""};
    }
    int colon = text.indexOf(':');
    if (colon < 1 || colon == text.length() - 1) {
      throw new IllegalArgumentException("a user needs a password: write user:password@host");
    }
    return new String[] {
      decode("user", text.substring(0, colon)), decode("password", text.substring(colon + 1))
    };
  }

  /** Undoes the percent-encoding; a plus is a plus. */
  private static String decode(String key, String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Without its cause, which quotes what is behind the %: a piece of a password, perhaps.
      throw new IllegalArgumentException(key + " must be percent-encoded, a percent sign as %25");
    }
  }

  private static List<InetSocketAddress> servers(String hosts) {
    List<InetSocketAddress> servers = new ArrayList<>();
    for (String host : hosts.split(",", -1)) {
      servers.add(server(host));
    }
    return servers;
  }

  private static InetSocketAddress server(String text) {
    int bracket = text.lastIndexOf(']');
    int colon = text.indexOf(':', Math.max(bracket, 0));
    String host = colon < 0 ? text : text.substring(0, colon);
    if (host.isEmpty()) {
      throw new IllegalArgumentException("there must be a host before each port and comma");
    }
    int port = colon < 0 ? PORT : port(text.substring(colon + 1));
    return InetSocketAddress.createUnresolved(host, port);
  }

  /** Quotes neither host nor port: in {@code etcd://user:pass,word} they are the password. */
  private static int port(String text) {
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
      throw new IllegalArgumentException(
          "each port must be a number, an IPv6 address in brackets, and a user and a password must"
              + " have an @ behind them");
    }
    return Integer.parseInt(text);
  }
}
