package io.holdfast.etcd;

import io.grpc.netty.GrpcSslContexts;
import io.holdfast.etcd.connection.Members;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a cluster.
 *
 * @param servers the members, in the order in which they are tried
 * @param user empty for none
 * @param password of the user
 * @param tls the TLS settings, or empty for plain text
 * @param prefix of all keys; ends with a slash
 */
public record EtcdOptions(
    List<InetSocketAddress> servers,
    String user,
    String password,
    Optional<Tls> tls,
    String prefix) {

  /** The default prefix of all keys. */
  public static final String DEFAULT_PREFIX = "holdfast/";

  private static final int LONGEST_PREFIX = 200;

  /**
   * TLS settings.
   *
   * @param trustStore the trusted certificates; if empty, those of the JDK
   * @param keyStore the client's own certificate and key, for servers that require one
   */
  public record Tls(
      Optional<Path> trustStore,
      String trustStorePassword,
      Optional<Path> keyStore,
      String keyStorePassword) {

    /** Without the passwords. */
    @Override
    public String toString() {
      return "Tls[trustStore=" + trustStore + ", keyStore=" + keyStore + "]";
    }

    SslContext context() {
      try {
        var builder = GrpcSslContexts.forClient();
        if (trustStore.isPresent()) {
          TrustManagerFactory trust =
              TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
          trust.init(load(trustStore.get(), trustStorePassword));
          builder.trustManager(trust);
        }
        if (keyStore.isPresent()) {
          KeyManagerFactory own =
              KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
          own.init(load(keyStore.get(), keyStorePassword), keyStorePassword.toCharArray());
          builder.keyManager(own);
        }
        return builder.build();
      } catch (IOException | GeneralSecurityException e) {
        throw new IllegalArgumentException(
            "trustStore or keyStore cannot be read: " + this + ": " + e.getMessage(), e);
      }
    }

    private static KeyStore load(Path file, String password)
        throws IOException, GeneralSecurityException {
      char @Nullable [] secret = password.isEmpty() ? null : password.toCharArray();
      return KeyStore.getInstance(file.toFile(), secret);
    }
  }

  /** Options with {@link #DEFAULT_PREFIX}. */
  public EtcdOptions(
      List<InetSocketAddress> servers, String user, String password, Optional<Tls> tls) {
    this(servers, user, password, tls, DEFAULT_PREFIX);
  }

  public EtcdOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("servers must not be empty");
    }
    if (!password.isEmpty() && user.isEmpty()) {
      throw new IllegalArgumentException("a password needs a user: write user:password@host");
    }
    if (!prefix.endsWith("/")
        || prefix.length() > LONGEST_PREFIX
        || prefix.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "prefix must end with a slash and have at most "
              + LONGEST_PREFIX
              + " characters, none of them a control character: prefix="
              + prefix.replaceAll("\\p{Cntrl}", "?"));
    }
  }

  /**
   * Parses an address: {@code etcd://[user:password@]host[:port][,host[:port]…][?parameters]}, with
   * TLS {@code etcds://}. The default port is 2379. Parameters: {@code prefix}; with TLS only,
   * {@code trustStore}, {@code trustStorePassword}, {@code keyStore}, {@code keyStorePassword}.
   *
   * @throws IllegalArgumentException if it is invalid; the message contains no secrets
   */
  public static EtcdOptions of(String uri) {
    return EtcdUri.parse(uri);
  }

  Members members(Members.Timing timing) {
    return Members.of(
        servers, tls.map(Tls::context).orElse(null), user, password, address(), prefix, timing);
  }

  /** The address without secrets. */
  String address() {
    return servers.stream()
        .map(server -> server.getHostString() + ":" + server.getPort())
        .collect(Collectors.joining(",", tls.isPresent() ? "etcds://" : "etcd://", ""));
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "EtcdOptions["
        + address()
        + ", user="
        + user
        + ", tls="
        + tls
        + ", prefix="
        + prefix
        + "]";
  }
}
