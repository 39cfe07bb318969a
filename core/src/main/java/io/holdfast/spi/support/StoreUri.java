package io.holdfast.spi.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The address of a store, parsed and checked.
 *
 * <p>Its form is {@code scheme://[user:password@]host[:port][,host[:port]…][/path][?name=value&…]}.
 *
 * <p>Every engine that uses this class has the same rules and the same error messages:
 *
 * <ul>
 *   <li>User, password and values of parameters are percent-encoded UTF-8. A plus is a plus.
 *   <li>The scheme is not case-sensitive; everything else is.
 *   <li>An IPv6 address is in brackets.
 *   <li>A parameter has a value, is known to the engine and appears once.
 * </ul>
 *
 * <p>What does not follow the rules is an {@link IllegalArgumentException} without a cause. No
 * message contains a password or a part of one, even where a mistake in the address makes a
 * password look like a host, a port or the name of a parameter. So messages about servers give the
 * position of the server instead of its text.
 *
 * <p>{@link #toString()} shows scheme and servers only. Immutable.
 */
public final class StoreUri {

  /**
   * Where a server listens.
   *
   * @param host a name or an address; an IPv6 address without its brackets
   */
  public record Server(String host, int port) {

    /** As in an address: an IPv6 address is in brackets. */
    @Override
    public String toString() {
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
  }

  /**
   * A user and a password, decoded.
   *
   * @param user may be empty where {@link #loginOrPassword()} returned it
   * @param password not empty
   */
  public record Login(String user, String password) {

    /** Without the password. */
    @Override
    public String toString() {
      return user + ":***";
    }
  }

  private static final int LAST_PORT = 65_535;
  private static final int NO_PORT = 0;

  private final String scheme;
  private final Optional<Login> login;
  private final List<Server> servers;
  private final String path;
  private final String query;

  private StoreUri(
      String scheme, Optional<Login> login, List<Server> servers, String path, String query) {
    this.scheme = scheme;
    this.login = login;
    this.servers = servers;
    this.path = path;
    this.query = query;
  }

  /**
   * Parses an address. Parameters are parsed by {@link #parameters}.
   *
   * @param schemes in lower case, without {@code ://}; the message lists them in this order
   * @throws IllegalArgumentException when the address is malformed or has another scheme
   */
  public static StoreUri parse(String uri, String... schemes) {
    int colon = uri.indexOf("://");
    String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!List.of(schemes).contains(scheme)) {
      throw new IllegalArgumentException("address must begin with " + oneOf(schemes));
    }
    String rest = uri.substring(colon + "://".length());
    int query = rest.indexOf('?');
    int pathEnd = query < 0 ? rest.length() : query;
    int slash = rest.indexOf('/');
    int authorityEnd = slash < 0 ? pathEnd : Math.min(slash, pathEnd);
    if (rest.indexOf('@', authorityEnd) >= 0) {
      // It may end a password that contains a / or a ?.
      throw new IllegalArgumentException(
          "in user, password and parameters write @ as %40, / as %2F, ? as %3F");
    }
    String authority = rest.substring(0, authorityEnd);
    int at = authority.lastIndexOf('@');
    return new StoreUri(
        scheme,
        at < 0 ? Optional.empty() : Optional.of(parseLogin(authority.substring(0, at))),
        parseServers(authority.substring(at + 1)),
        rest.substring(authorityEnd, pathEnd),
        query < 0 ? "" : rest.substring(query + 1));
  }

  private static String oneOf(String... schemes) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < schemes.length; i++) {
      list.append(i == 0 ? "" : i == schemes.length - 1 ? " or " : ", ");
      list.append(schemes[i]).append("://");
    }
    return list.toString();
  }

  private static Login parseLogin(String text) {
    int colon = text.indexOf(':');
    if (colon < 0 || colon == text.length() - 1) {
      throw new IllegalArgumentException("a login needs a password: write user:password@host");
    }
    return new Login(
        UriParameters.decode("user", text.substring(0, colon)),
        UriParameters.decode("password", text.substring(colon + 1)));
  }

  private static List<Server> parseServers(String hosts) {
    List<Server> servers = new ArrayList<>();
    for (String text : hosts.split(",", -1)) {
      servers.add(parseServer(text, servers.size() + 1));
    }
    return servers;
  }

  private static Server parseServer(String text, int position) {
    int bracket = text.lastIndexOf(']');
    int colon = text.indexOf(':', Math.max(bracket, 0));
    String host = colon < 0 ? text : text.substring(0, colon);
    if (host.isEmpty() || host.equals("[]")) {
      throw wrong(position, "there must be a host before each port and comma");
    }
    int port = colon < 0 ? NO_PORT : parsePort(text.substring(colon + 1), position);
    boolean bracketed = host.startsWith("[") && bracket == host.length() - 1;
    String bare = bracketed ? host.substring(1, bracket) : host;
    if (bare.chars().anyMatch(StoreUri::isForeign)) {
      throw wrong(position, "host must be a name or an address");
    }
    return new Server(bare, port);
  }

  private static int parsePort(String text, int position) {
    int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
    if (port < 1 || port > LAST_PORT) {
      throw wrong(
          position,
          "port must be a number 1.."
              + LAST_PORT
              + ", an IPv6 address must be in brackets, and a login must end with @");
    }
    return port;
  }

  private static boolean isForeign(int c) {
    return c <= ' ' || c > '~' || "[]@/?#,\"<>\\^`{|}".indexOf(c) >= 0;
  }

  /** Gives the position, because the text of a server may be a part of a password. */
  private static IllegalArgumentException wrong(int position, String rule) {
    return new IllegalArgumentException(rule + ": server " + position + " of the address");
  }

  /** Returns the scheme in lower case, without {@code ://}. */
  public String scheme() {
    return scheme;
  }

  /** Returns the servers in the order of the address; at least one. */
  public List<Server> servers(int defaultPort) {
    return servers.stream()
        .map(each -> each.port == NO_PORT ? new Server(each.host, defaultPort) : each)
        .toList();
  }

  /**
   * Returns the login, if there is one.
   *
   * @throws IllegalArgumentException when it has no user
   */
  public Optional<Login> login() {
    if (login.isPresent() && login.get().user.isEmpty()) {
      throw new IllegalArgumentException("a login needs a user: write user:password@host");
    }
    return login;
  }

  /** Returns the login, if there is one, for stores that take a password without a user. */
  public Optional<Login> loginOrPassword() {
    return login;
  }

  /** Returns the path as it is written, with its leading slash, or an empty text. */
  public String path() {
    return path;
  }

  /**
   * Parses the parameters.
   *
   * @param known the names that the engine has for this scheme
   * @throws IllegalArgumentException when a parameter is unknown, malformed or given twice
   */
  public UriParameters parameters(Set<String> known) {
    return UriParameters.parse(scheme, query, known);
  }

  @Override
  public String toString() {
    return scheme + "://" + String.join(",", servers.stream().map(Server::toString).toList());
  }
}
