package io.holdfast.remote.connection;

import io.holdfast.spi.support.StoreUri.Server;
import io.holdfast.spi.support.TlsFiles;
import io.holdfast.spi.support.TlsFiles.StoreFile;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Encrypts connections, or leaves them as they are. */
public final class TlsSockets {

  /** Leaves connections as they are. */
  public static final TlsSockets NONE = new TlsSockets(null);

  private final @Nullable SSLContext context;

  private TlsSockets(@Nullable SSLContext context) {
    this.context = context;
  }

  /**
   * Encrypts connections, and checks that the certificate is the server's.
   *
   * @throws IllegalArgumentException when a file cannot be read
   */
  public static TlsSockets of(TlsFiles files) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(files.keyStore()), trust(files.trustStore()), null);
      return new TlsSockets(context);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "trustStore or keyStore cannot be read: " + files + ": " + e.getMessage(), e);
    }
  }

  private static KeyManager @Nullable [] keys(Optional<StoreFile> file)
      throws IOException, GeneralSecurityException {
    if (file.isEmpty()) {
      return null;
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(load(file.get()), file.get().password().toCharArray());
    return own.getKeyManagers();
  }

  private static TrustManager @Nullable [] trust(Optional<StoreFile> file)
      throws IOException, GeneralSecurityException {
    if (file.isEmpty()) {
      return null;
    }
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(load(file.get()));
    return trusted.getTrustManagers();
  }

  private static KeyStore load(StoreFile file) throws IOException, GeneralSecurityException {
    char @Nullable [] secret = file.password().isEmpty() ? null : file.password().toCharArray();
    return KeyStore.getInstance(file.file().toFile(), secret);
  }

  /** Returns the connected socket, encrypted if that was asked for; closing it closes both. */
  Socket secured(Socket connected, Server server) throws IOException {
    if (context == null) {
      return connected;
    }
    SSLSocket secured =
        (SSLSocket)
            context.getSocketFactory().createSocket(connected, server.host(), server.port(), true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }
}
