package io.holdfast.redis;

import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Tls;
import io.holdfast.redis.RedisOptions.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The address of a Redis store. Whatever is wrong, no message quotes what could be a password: user
 * and password are never quoted, and an @ that is not where it belongs is not looked behind.
 */
final class RedisUri {

  private static final Map<String, Topology> SCHEMES =
      Map.of(
          "redis", Topology.SINGLE,
          "rediss", Topology.SINGLE,
          "redis-sentinel", Topology.SENTINEL,
          "redis-cluster", Topology.CLUSTER,
          "redlock", Topology.REDLOCK);
  private static final String TLS_SCHEME = "rediss";
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  private final Topology topology;
  private final String authority;
  private final String path;
  private final RedisParameters parameters;

  private RedisUri(Topology topology, String authority, String path, RedisParameters parameters) {
    this.topology = topology;
    this.authority = authority;
    this.path = path;
    this.parameters = parameters;
  }

  static String scheme(Topology topology, boolean tls) {
    return switch (topology) {
      case SINGLE -> tls ? TLS_SCHEME : "redis";
      case SENTINEL -> "redis-sentinel";
      case CLUSTER -> "redis-cluster";
      case REDLOCK -> "redlock";
    };
  }

  static RedisOptions parse(String uri) {
    int colon = uri.indexOf("://");
    String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
    Topology topology = SCHEMES.get(scheme);
    if (topology == null) {
      throw new IllegalArgumentException(
          "address must begin with redis://, rediss://, redis-sentinel://, redis-cluster:// or"
              + " redlock://");
    }
    String rest = uri.substring(colon + "://".length());
    int end = firstOf(rest, "/?");
    int query = rest.indexOf('?');
    if (rest.indexOf('@', end) >= 0) {
      // It may be the end of a password that has a / or a ? in it: quote nothing.
      throw new IllegalArgumentException(
          "in user, password and parameters write @ as %40, / as %2F, ? as %3F");
    }
    RedisParameters parameters =
        RedisParameters.parse(query < 0 ? "" : rest.substring(query + 1), topology);
    String path = rest.substring(end, query < 0 ? rest.length() : query);
    return new RedisUri(topology, rest.substring(0, end), path, parameters)
        .options(scheme.equals(TLS_SCHEME));
  }

  private RedisOptions options(boolean tls) {
    int at = authority.lastIndexOf('@');
    RedisDraft draft = new RedisDraft(topology, servers(authority.substring(at + 1)));
    if (at >= 0) {
      draft.login = login(authority.substring(0, at));
    }
    applyPath(draft);
    if (tls) {
      draft.tls = Optional.of(Tls.standard());
    }
    parameters.applyTo(draft);
    return draft.build();
  }

  private List<Server> servers(String hosts) {
    List<Server> servers = new ArrayList<>();
    for (String host : hosts.split(",", -1)) {
      servers.add(server(host));
    }
    return servers;
  }

  private Server server(String text) {
    int usual = topology == Topology.SENTINEL ? SENTINEL_PORT : PORT;
    int bracket = text.lastIndexOf(']');
    int colon = text.indexOf(':', Math.max(bracket, 0));
    String host = colon < 0 ? text : text.substring(0, colon);
    int port = colon < 0 ? usual : port(host, text.substring(colon + 1));
    if (host.startsWith("[") && bracket == host.length() - 1) {
      return new Server(host.substring(1, bracket), port);
    }
    if (host.isEmpty()) {
      throw new IllegalArgumentException(
          "there must be a host before each port and comma: " + topology);
    }
    return new Server(host, port);
  }

  /** Does not quote the text: in {@code redis://user:password} it is the password. */
  private static int port(String host, String text) {
    if (!text.matches("\\d{1,5}")) {
      throw new IllegalArgumentException(
          "port must be a number, and an IPv6 address in brackets: host=" + host);
    }
    return Integer.parseInt(text);
  }

  private static Login login(String text) {
    int colon = text.indexOf(':');
    if (colon < 0 || colon == text.length() - 1) {
      throw new IllegalArgumentException(
          "a user needs a password: write user:password@host, or :password@host");
    }
    return new Login(
        RedisParameters.decode("user", text.substring(0, colon)),
        RedisParameters.decode("password", text.substring(colon + 1)));
  }

  private void applyPath(RedisDraft draft) {
    String[] parts = path.isEmpty() ? new String[0] : path.substring(1).split("/", -1);
    int at = 0;
    if (topology == Topology.SENTINEL && parts.length > 0) {
      draft.masterName = RedisParameters.decode("master", parts[at++]);
    }
    if (parts.length > at && !parts[at].isEmpty()) {
      draft.database = database(parts[at]);
    }
    if (parts.length > at + 1) {
      throw new IllegalArgumentException("path must be " + shape() + ": path=" + path);
    }
  }

  private String shape() {
    return topology == Topology.SENTINEL ? "/master or /master/database" : "/database";
  }

  private int database(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "database must be a number, path " + shape() + ": database=" + text, e);
    }
  }

  private static int firstOf(String text, String ends) {
    for (int i = 0; i < text.length(); i++) {
      if (ends.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return text.length();
  }
}
