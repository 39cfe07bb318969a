package io.holdfast.server.security;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Keeps foreign web pages from using the service through a visitor's browser.
 *
 * <p>A service on loopback without authentication trusts every program on its machine, and a
 * browser there runs programs from anywhere. A page can send requests to 127.0.0.1, open a
 * WebSocket, or give 127.0.0.1 a name of its own. Browsers state the page in {@code Origin} and the
 * name in {@code Host}; other clients send no {@code Origin} and are not concerned.
 *
 * @param loopbackOnly whether the name in {@code Host} must be one of loopback: without
 *     authentication
 */
public record OriginPolicy(boolean loopbackOnly) {

  private static final Set<String> LOOPBACK = Set.of("localhost", "[::1]");
  private static final Pattern LOOPBACK_ADDRESS = Pattern.compile("127(\\.\\d{1,3}){3}");

  /**
   * Checks a request, a WebSocket's upgrade included.
   *
   * @param host the headers {@code Host}
   * @param origin the headers {@code Origin}
   */
  public Optional<Refusal> check(List<String> host, List<String> origin) {
    if (host.size() != 1 || origin.size() > 1) {
      return Optional.of(Refusal.malformed("a request needs one Host and at most one Origin"));
    }
    String authority = host.get(0).toLowerCase(Locale.ROOT);
    if (loopbackOnly && !isLoopback(withoutPort(authority))) {
      return Optional.of(
          Refusal.forbidden(
              "a service without authentication is called as localhost, 127.0.0.1 or [::1] only"));
    }
    if (!origin.isEmpty() && !isSame(authority, origin.get(0))) {
      return Optional.of(Refusal.forbidden("web pages of other origins may not use this service"));
    }
    return Optional.empty();
  }

  private static boolean isLoopback(String host) {
    return LOOPBACK.contains(host) || LOOPBACK_ADDRESS.matcher(host).matches();
  }

  private static String withoutPort(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
  }

  /** The scheme may differ: a proxy in front of the service may have taken the TLS off. */
  private static boolean isSame(String authority, String origin) {
    try {
      URI uri = new URI(origin);
      String page = uri.getRawAuthority();
      String port = "https".equalsIgnoreCase(uri.getScheme()) ? ":443" : ":80";
      return page != null
          && withPort(page.toLowerCase(Locale.ROOT), port).equals(withPort(authority, port));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static String withPort(String authority, String port) {
    return withoutPort(authority).equals(authority) ? authority + port : authority;
  }
}
