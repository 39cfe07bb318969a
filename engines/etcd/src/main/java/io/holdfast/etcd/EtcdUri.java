package io.holdfast.etcd;

import io.holdfast.etcd.EtcdOptions.Tls;
import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.TlsFiles;
import io.holdfast.spi.support.TlsFiles.StoreFile;
import io.holdfast.spi.support.UriParameters;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses the address of an etcd cluster. */
final class EtcdUri {

  private static final int PORT = 2379;
  private static final String TLS_SCHEME = "etcds";
  private static final Set<String> PARAMETERS =
      Set.of("prefix", "trustStore", "trustStorePassword", "keyStore", "keyStorePassword");

  private EtcdUri() {}

  static EtcdOptions parse(String text) {
    StoreUri uri = StoreUri.parse(text, "etcd", TLS_SCHEME);
    if (!uri.path().isEmpty()) {
      throw new IllegalArgumentException("path must be empty: path=" + uri.path());
    }
    Optional<StoreUri.Login> login = uri.login();
    UriParameters parameters = uri.parameters(PARAMETERS);
    return new EtcdOptions(
        servers(uri),
        login.map(StoreUri.Login::user).orElse(""),
        login.map(StoreUri.Login::password).orElse(""),
        parameters
            .tls(Optional.of(uri.scheme()).filter(TLS_SCHEME::equals), "etcds://")
            .map(EtcdUri::tls),
        parameters.text("prefix").orElse(EtcdOptions.DEFAULT_PREFIX));
  }

  /** The transport requires IPv6 addresses in brackets. */
  private static List<InetSocketAddress> servers(StoreUri uri) {
    return uri.servers(PORT).stream()
        .map(
            each -> {
              String host = each.host();
              return InetSocketAddress.createUnresolved(
                  host.indexOf(':') < 0 ? host : "[" + host + "]", each.port());
            })
        .toList();
  }

  private static Tls tls(TlsFiles files) {
    return new Tls(
        files.trustStore().map(StoreFile::file),
        files.trustStore().map(StoreFile::password).orElse(""),
        files.keyStore().map(StoreFile::file),
        files.keyStore().map(StoreFile::password).orElse(""));
  }
}
