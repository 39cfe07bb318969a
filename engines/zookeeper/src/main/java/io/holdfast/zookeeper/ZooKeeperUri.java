package io.holdfast.zookeeper;

import io.holdfast.zookeeper.ZooKeeperOptions.Acl;
import io.holdfast.zookeeper.ZooKeeperOptions.Login;
import io.holdfast.zookeeper.ZooKeeperOptions.Server;
import io.holdfast.zookeeper.ZooKeeperOptions.Store;
import io.holdfast.zookeeper.ZooKeeperOptions.Tls;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The address of a ZooKeeper store. Whatever is wrong, no message quotes what could be a password:
 * user and password are never quoted, and an @ that is not where it belongs is not looked behind.
 */
final class ZooKeeperUri {

  private static final String SCHEME = "zookeeper://";
  private static final int PORT = 2181;
  private static final Set<String> SECRET = Set.of("trustStorePassword", "keyStorePassword");
  private static final TreeSet<String> KNOWN =
      new TreeSet<>(
          List.of(
              "tls", "trustStore", "trustStorePassword", "keyStore", "keyStorePassword", "acl"));

  private ZooKeeperUri() {}

  static ZooKeeperOptions parse(String uri) {
    if (!uri.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      throw new IllegalArgumentException("address must begin with " + SCHEME);
    }
    String rest = uri.substring(SCHEME.length());
    int query = rest.indexOf('?');
    int slash = rest.indexOf('/');
    int end = slash < 0 || (query >= 0 && query < slash) ? query : slash;
    end = end < 0 ? rest.length() : end;
    if (rest.indexOf('@', end) >= 0) {
      // It may be the end of a password that has a / or a ? in it: quote nothing.
      throw new IllegalArgumentException(
          "in user, password and parameters write @ as %40, / as %2F, ? as %3F");
    }
    String authority = rest.substring(0, end);
    int at = authority.lastIndexOf('@');
    Optional<Login> login =
        at < 0 ? Optional.empty() : Optional.of(login(authority.substring(0, at)));
    String path = rest.substring(end, query < 0 ? rest.length() : query);
    Map<String, String> parameters = parameters(query < 0 ? "" : rest.substring(query + 1));
    return new ZooKeeperOptions(
        servers(authority.substring(at + 1)),
        path.equals("/") ? "" : path,
        login,
        tls(parameters),
        acl(parameters, login.isPresent()));
  }

  private static List<Server> servers(String hosts) {
    List<Server> servers = new ArrayList<>();
    for (String text : hosts.split(",", -1)) {
      int bracket = text.lastIndexOf(']');
      int colon = text.indexOf(':', Math.max(bracket, 0));
      String host = colon < 0 ? text : text.substring(0, colon);
      int port = colon < 0 ? PORT : port(host, text.substring(colon + 1));
      boolean bracketed = host.startsWith("[") && bracket == host.length() - 1;
      servers.add(new Server(bracketed ? host.substring(1, bracket) : host, port));
    }
    return servers;
  }

  /** Does not quote the text: in {@code zookeeper://user:password} it is the password. */
  private static int port(String host, String text) {
    if (!text.matches("\\d{1,5}")) {
      throw new IllegalArgumentException(
          "port must be a number, and an IPv6 address in brackets: host=" + host);
    }
    return Integer.parseInt(text);
  }

  private static Login login(String text) {
    int colon = text.indexOf(':');
    if (colon < 1 || colon == text.length() - 1) {
      throw new IllegalArgumentException("write a login as user:password@host");
    }
    return new Login(
        decode("user", text.substring(0, colon)), decode("password", text.substring(colon + 1)));
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String key = equals < 0 ? parameter : parameter.substring(0, equals);
      if (!KNOWN.contains(key)) {
        throw new IllegalArgumentException(
            unknown(key, equals >= 0, values.keySet()) + "; there are " + KNOWN);
      }
      if (values.put(key, decode(key, equals < 0 ? "" : parameter.substring(equals + 1))) != null) {
        throw new IllegalArgumentException("give each parameter once: " + key);
      }
    }
    return values;
  }

  /** What cannot be a name may be the end of a secret with an ampersand in it: not quoted. */
  private static String unknown(String key, boolean hasValue, Set<String> before) {
    if (before.stream().anyMatch(SECRET::contains)) {
      return "unknown parameter after a password, in which an ampersand must be percent-encoded, as"
          + " %26";
    }
    return hasValue ? "unknown parameter: " + key : "a parameter must be NAME=VALUE";
  }

  private static Optional<Tls> tls(Map<String, String> values) {
    String on = values.getOrDefault("tls", "false");
    if (!on.equals("true") && !on.equals("false")) {
      throw new IllegalArgumentException("tls must be true or false: tls=" + on);
    }
    Optional<Store> trust = store(values, "trustStore");
    Optional<Store> key = store(values, "keyStore");
    if (on.equals("false")) {
      if (trust.isPresent() || key.isPresent()) {
        throw new IllegalArgumentException("trustStore and keyStore are for TLS: write tls=true");
      }
      return Optional.empty();
    }
    return Optional.of(new Tls(trust, key));
  }

  private static Optional<Store> store(Map<String, String> values, String key) {
    String file = values.get(key);
    String password = values.getOrDefault(key + "Password", "");
    if (file == null) {
      if (!password.isEmpty()) {
        throw new IllegalArgumentException(key + "Password needs a " + key);
      }
      return Optional.empty();
    }
    return Optional.of(new Store(Path.of(file), password));
  }

  private static Acl acl(Map<String, String> values, boolean login) {
    return switch (values.getOrDefault("acl", login ? "creator" : "open")) {
      case "open" -> Acl.OPEN;
      case "creator" -> Acl.CREATOR;
      default ->
          throw new IllegalArgumentException(
              "acl must be open or creator: acl=" + values.get("acl"));
    };
  }

  /** Undoes the percent-encoding; a plus is a plus. */
  static String decode(String key, String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // The cause would quote a part of it.
      throw new IllegalArgumentException(key + " must be percent-encoded, a percent sign as %25");
    }
  }
}
