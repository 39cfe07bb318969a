package io.holdfast.cli.commands.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** TLS for the doctor's own connections, from the parameters of the address. */
final class TlsSettings {

  /** A file with certificates or keys, and its password, which may be empty. */
  record KeyFile(Path file, String password) {

    @Override
    public String toString() {
      return file.toString();
    }

    private KeyStore load() throws IOException, GeneralSecurityException {
      return KeyStore.getInstance(file.toFile(), password.isEmpty() ? null : secret());
    }

    private char[] secret() {
      return password.toCharArray();
    }
  }

  private TlsSettings() {}

  /**
   * Returns how to connect.
   *
   * @param trusted whose certificates are trusted; without it, what this Java trusts
   * @param own our certificate and key, for servers that ask for one
   * @throws IOException when a file cannot be used; the message has no password
   */
  static SSLContext of(Optional<KeyFile> trusted, Optional<KeyFile> own) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          own.isPresent() ? keys(own.get()) : null,
          trusted.isPresent() ? trust(trusted.get()) : null,
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private static TrustManager[] trust(KeyFile file) throws IOException, GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(file.load());
    return trust.getTrustManagers();
  }

  private static KeyManager[] keys(KeyFile file) throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(file.load(), file.secret());
    return keys.getKeyManagers();
  }
}
