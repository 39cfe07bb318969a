package io.holdfast.remote;

import io.holdfast.remote.connection.ServiceToken;
import io.holdfast.remote.connection.TlsSockets;
import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.StoreUri.Server;
import io.holdfast.spi.support.TlsFiles;
import io.holdfast.spi.support.UriParameters;
import io.holdfast.spi.wire.Wire;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a lock service.
 *
 * @param servers its servers; a client begins with any of them
 * @param tls the TLS settings, or empty for plain text
 * @param token where the token of this client is, if it has one
 */
public record RemoteOptions(List<Server> servers, Optional<TlsFiles> tls, ServiceToken token) {

  private static final String TLS_SCHEME = "https";
  private static final Set<String> PARAMETERS =
      Set.of(
          "trustStore",
          "trustStorePassword",
          "keyStore",
          "keyStorePassword",
          ServiceToken.FILE_PARAMETER);

  public RemoteOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("servers must not be empty");
    }
  }

  /**
   * Parses an address: {@code http://host[:port][,host[:port]…]}, with TLS {@code https://}. The
   * default port is 7420. Parameters, with TLS only: {@code trustStore}, {@code
   * trustStorePassword}, {@code keyStore}, {@code keyStorePassword}. The token is in the file of
   * {@value ServiceToken#FILE_PARAMETER} or in the variable {@value ServiceToken#VARIABLE}.
   *
   * @throws IllegalArgumentException if it is invalid; the message contains no secrets
   */
  public static RemoteOptions of(String text) {
    return of(text, System::getenv);
  }

  static RemoteOptions of(String text, UnaryOperator<@Nullable String> environment) {
    ServiceToken.refuseSecrets(text, PARAMETERS);
    StoreUri uri = StoreUri.parse(text, "http", TLS_SCHEME);
    if (!uri.path().isEmpty() && !uri.path().equals("/")) {
      throw new IllegalArgumentException("path must be empty: path=" + uri.path());
    }
    UriParameters parameters = uri.parameters(PARAMETERS);
    return new RemoteOptions(
        uri.servers(Wire.PORT),
        parameters.tls(Optional.of(uri.scheme()).filter(TLS_SCHEME::equals), "https://"),
        ServiceToken.find(uri, parameters, environment));
  }

  TlsSockets sockets() {
    return tls.map(TlsSockets::of).orElse(TlsSockets.NONE);
  }

  /** The address without secrets. */
  String address() {
    return servers.stream()
        .map(Server::toString)
        .collect(Collectors.joining(",", tls.isPresent() ? "https://" : "http://", ""));
  }

  /** Without passwords. */
  @Override
  public String toString() {
    return "RemoteOptions[" + address() + ", tls=" + tls + ", " + token + "]";
  }
}
