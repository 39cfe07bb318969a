package io.holdfast.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A file with the certificates of those whom we trust. */
final class TrustStore {

  private TrustStore() {}

  static SSLContext context(Path file, String password) {
    try {
      char[] secret = password.isEmpty() ? null : password.toCharArray();
      KeyStore store = KeyStore.getInstance(file.toFile(), secret);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "trustStore cannot be read: trustStore=" + file + ": " + e.getMessage(), e);
    }
  }
}
