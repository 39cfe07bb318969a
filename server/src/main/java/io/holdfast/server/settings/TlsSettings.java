package io.holdfast.server.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The files of the service's TLS.
 *
 * @param identity the service's certificate and private key
 * @param clientAuthorities PEM certificates of the authorities that sign clients' certificates;
 *     empty: clients have none
 * @param clientsNeedCertificates whether a handshake without a client certificate fails; if not,
 *     such a client needs a token
 */
public record TlsSettings(
    Identity identity, Optional<Path> clientAuthorities, boolean clientsNeedCertificates) {

  /** Where the service's certificate and private key are. */
  public sealed interface Identity {}

  /** PEM files: the certificate chain, the service's own certificate first, and its key. */
  public record PemFiles(Path certificates, Path key) implements Identity {}

  /** A PKCS12 store with one private key. */
  public record Pkcs12File(Path file, String password) implements Identity {

    /** Without the password. */
    @Override
    public String toString() {
      return file.toString();
    }
  }

  public TlsSettings {
    if (clientsNeedCertificates && clientAuthorities.isEmpty()) {
      throw new IllegalArgumentException(
          "client certificates are required, but no authority is trusted to sign them:"
              + " name a file with --tls-client-ca");
    }
  }

  /** Creates settings for clients without certificates. */
  public TlsSettings(Identity identity) {
    this(identity, Optional.empty(), /* clientsNeedCertificates= */ false);
  }
}
