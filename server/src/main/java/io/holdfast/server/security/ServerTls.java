package io.holdfast.server.security;

import io.holdfast.server.settings.TlsSettings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.security.auth.x500.X500Principal;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * The service's TLS, whose certificate and client authorities are read again when they change.
 *
 * <p>New connections get the new certificate; open connections go on with theirs. A new certificate
 * that does not fit its key, or cannot be read, changes nothing: the old one stays in use, and the
 * reason is logged and reported as {@link #problem}. TLS 1.2 and 1.3 only. Thread-safe.
 */
public final class ServerTls implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(ServerTls.class.getName());

  /** What the files have, as key stores in memory. */
  private record Loaded(KeyMaterial identity, List<X509Certificate> authorities) {

    @Override
    public String toString() {
      return identity.toString();
    }
  }

  // Key stores in memory want a password, though they never leave it.
  private final String password = UUID.randomUUID().toString();
  private final SslContextFactory.Server factory;
  private final WatchedFiles<Loaded> watched;

  private ServerTls(TlsSettings settings) {
    this.factory = new SslContextFactory.Server();
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    factory.setNeedClientAuth(settings.clientsNeedCertificates());
    factory.setWantClientAuth(settings.clientAuthorities().isPresent());
    this.watched =
        new WatchedFiles<>(
            "certificate", files(settings), contents -> load(settings, contents), this::reload);
  }

  /**
   * Reads the files. After {@link #start} they are looked at once a second; a change counts when
   * two looks saw the same content.
   *
   * @throws IllegalArgumentException when the files cannot be used
   */
  public static ServerTls open(TlsSettings settings) {
    ServerTls tls = new ServerTls(settings);
    if (settings.identity() instanceof TlsSettings.PemFiles pem
        && FilePermissions.isReadableByAll("private key", pem.key())) {
      LOG.log(
          Level.WARNING,
          "private key " + pem.key() + " is readable by everybody: run chmod 600 " + pem.key());
    }
    try {
      tls.put(tls.factory, tls.watched.current());
      tls.factory.start();
      return tls;
    } catch (Exception e) {
      throw new IllegalArgumentException(
          "certificate " + settings.identity() + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static List<Path> files(TlsSettings settings) {
    List<Path> files = new ArrayList<>();
    if (settings.identity() instanceof TlsSettings.PemFiles pem) {
      files.add(pem.certificates());
      files.add(pem.key());
    } else if (settings.identity() instanceof TlsSettings.Pkcs12File store) {
      files.add(store.file());
    }
    settings.clientAuthorities().ifPresent(files::add);
    return files;
  }

  private static Loaded load(TlsSettings settings, List<byte[]> contents)
      throws IOException, GeneralSecurityException {
    KeyMaterial identity;
    if (settings.identity() instanceof TlsSettings.Pkcs12File store) {
      identity = KeyMaterial.fromPkcs12(contents.get(0), store.password());
    } else {
      List<X509Certificate> chain = Pem.certificates(contents.get(0));
      identity =
          new KeyMaterial(Pem.privateKey(contents.get(1), chain.get(0).getPublicKey()), chain);
    }
    if (identity.ends().isBefore(Instant.now())) {
      LOG.log(Level.WARNING, identity + ": clients will refuse it");
    }
    return new Loaded(
        identity,
        settings.clientAuthorities().isPresent()
            ? Pem.certificates(contents.get(contents.size() - 1))
            : List.of());
  }

  private void put(SslContextFactory to, Loaded loaded) throws GeneralSecurityException {
    to.setKeyStore(loaded.identity().toKeyStore(password));
    to.setKeyStorePassword(password);
    // Never null: without trusted authorities no client certificate is good.
    KeyStore trusted = KeyMaterial.trusting(loaded.authorities());
    to.setTrustStore(loaded.authorities().isEmpty() ? null : trusted);
  }

  private void reload(Loaded loaded) throws GeneralSecurityException {
    // A reload that fails half-way would leave the factory empty, so another one tries it first.
    SslContextFactory.Server trial = new SslContextFactory.Server();
    try {
      put(trial, loaded);
      trial.start();
      trial.stop();
      factory.reload(each -> replace(each, loaded));
    } catch (GeneralSecurityException e) {
      throw e;
    } catch (Exception e) {
      throw new GeneralSecurityException("TLS cannot use it", e);
    }
  }

  private void replace(SslContextFactory each, Loaded loaded) {
    try {
      put(each, loaded);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the trial accepted it", e);
    }
  }

  /**
   * Returns what a connector puts before its HTTP.
   *
   * @param next the protocol after TLS, such as {@code http/1.1}
   */
  public SslConnectionFactory connectionFactory(String next) {
    return new SslConnectionFactory(factory, next);
  }

  /**
   * Returns what makes requests know that they are secure. The name in {@code Host} is not compared
   * with the certificate: behind a balancer they may differ, and clients verify it.
   */
  public static SecureRequestCustomizer customizer() {
    return new SecureRequestCustomizer(/* sniHostCheck= */ false);
  }

  /** Returns the subject of the client certificate that the handshake has verified, if any. */
  public static Optional<X500Principal> subject(Request request) {
    Object data = request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE);
    if (!(data instanceof EndPoint.SslSessionData session)) {
      return Optional.empty();
    }
    X509Certificate @Nullable [] certificates = session.peerCertificates();
    return certificates == null || certificates.length == 0
        ? Optional.empty()
        : Optional.of(certificates[0].getSubjectX500Principal());
  }

  /** Returns until when the certificate in use is valid. */
  public Instant ends() {
    return watched.current().identity().ends();
  }

  /** Returns why the present content of the files is not in use, if so. */
  public Optional<String> problem() {
    return watched.problem();
  }

  /** Begins to follow changes of the files. */
  public void start() {
    watched.start();
  }

  /** Looks at the files now: for tests. */
  void look() {
    watched.look();
  }

  /** Stops following the files; open connections go on. */
  @Override
  public void close() throws Exception {
    watched.close();
    factory.stop();
  }
}
