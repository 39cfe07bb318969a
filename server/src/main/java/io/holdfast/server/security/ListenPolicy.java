package io.holdfast.server.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Who may listen where: loopback needs nothing, every other address needs TLS and an auth file.
 *
 * @param tls whether the service has a certificate
 * @param authentication whether it has an auth file
 */
public record ListenPolicy(boolean tls, boolean authentication) {

  /**
   * Returns the address to listen on.
   *
   * @param host a name or an address. A name may stand for several addresses: each of them must be
   *     loopback, or the service needs TLS and an auth file
   * @throws IllegalArgumentException when the host is unknown, or something is missing for it
   */
  public InetAddress require(String host, int port) {
    String at = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    if (host.isBlank()) {
      throw new IllegalArgumentException("an address to listen on needs a host: " + at);
    }
    try {
      InetAddress[] addresses = InetAddress.getAllByName(host);
      for (InetAddress each : addresses) {
        require(each, at);
      }
      return addresses[0];
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("cannot listen on " + at + ": unknown host", e);
    }
  }

  private void require(InetAddress address, String at) {
    if (address.isLoopbackAddress() || (tls && authentication)) {
      return;
    }
    List<String> missing = new ArrayList<>();
    if (!tls) {
      missing.add("a certificate (--tls-cert FILE --tls-key FILE, or --tls-keystore FILE)");
    }
    if (!authentication) {
      missing.add("an auth file (--auth FILE)");
    }
    throw new IllegalArgumentException(
        "cannot listen on "
            + at
            + ", which other machines can reach, without "
            + String.join(" and ", missing)
            + "; without them listen on 127.0.0.1");
  }
}
