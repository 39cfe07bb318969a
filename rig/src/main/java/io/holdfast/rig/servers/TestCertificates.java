package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerLocation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority for one test, with a server and a client certificate. They are files that
 * servers and Java clients read. Made by the JDK's own keytool.
 */
public final class TestCertificates implements AutoCloseable {
  /** Of all key stores here. */
  public static final String PASSWORD = "changeit";

  private static final Duration BOUND = Duration.ofSeconds(30);

  private final ServerLocation place;

  private TestCertificates(ServerLocation place) {
    this.place = place;
  }

  /** For a server on the loopback interface. */
  public static TestCertificates create() {
    return forServer("dns:localhost,ip:127.0.0.1");
  }

  /**
   * For a server with other names; to test that clients check them.
   *
   * @param names as keytool writes them, such as {@code "dns:elsewhere.example"}
   */
  public static TestCertificates forServer(String names) {
    ServerLocation place = new ServerLocation("certificates", 0, Optional.empty());
    try {
      TestCertificates all = new TestCertificates(place);
      all.generate(names);
      all.export();
      return all;
    } catch (IOException e) {
      place.delete();
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      place.delete();
      throw new IllegalStateException(e);
    } catch (RuntimeException | AssertionError e) {
      place.delete();
      throw e;
    }
  }

  /** The authority's certificate, PEM. */
  public Path authority() {
    return file("ca.pem");
  }

  /** The server's certificate, PEM. */
  public Path serverCertificate() {
    return file("server.pem");
  }

  /** The server's private key, PEM (PKCS #8), without a password. */
  public Path serverKey() {
    return file("server-key.pem");
  }

  /** The server's certificate and key, for servers that are Java programs: PKCS #12. */
  public Path serverKeyStore() {
    return file("server.p12");
  }

  /** What a Java client needs in order to trust the server: PKCS #12. */
  public Path trustStore() {
    return file("trust.p12");
  }

  /** The client's own certificate and key, for servers that ask for one: PKCS #12. */
  public Path clientKeyStore() {
    return file("client.p12");
  }

  /** For a client that trusts this authority and shows the client's certificate. */
  public SSLContext clientContext() {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(load(trustStore()));
      KeyManagerFactory own =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      own.init(load(clientKeyStore()), PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Deletes the files; idempotent. */
  @Override
  public void close() {
    place.delete();
  }

  /** The rig's own connections trust the authority and do not look at the server's names. */
  Socket overTls(Socket plain, int port) throws IOException {
    SSLSocket socket =
        (SSLSocket) clientContext().getSocketFactory().createSocket(plain, "127.0.0.1", port, true);
    socket.startHandshake();
    return socket;
  }

  private void generate(String names) {
    keytool("-alias", "ca", "-dname", "CN=Holdfast Test CA", "-ext", "bc:c");
    keytool("-alias", "server", "-dname", "CN=server", "-ext", "san=" + names, "-signer", "ca");
    keytool("-alias", "client", "-dname", "CN=client", "-signer", "ca");
  }

  private void keytool(String... more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-validity", "2", "-keystore", file("all.p12").toString()));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.add("-J-XX:TieredStopAtLevel=1"); // half of the time
    command.addAll(Arrays.asList(more));
    place.run(BOUND, command);
  }

  private void export() throws GeneralSecurityException, IOException {
    KeyStore all = load(file("all.p12"));
    char[] secret = PASSWORD.toCharArray();
    pem(authority(), "CERTIFICATE", all.getCertificate("ca").getEncoded());
    pem(serverCertificate(), "CERTIFICATE", all.getCertificate("server").getEncoded());
    pem(serverKey(), "PRIVATE KEY", all.getKey("server", secret).getEncoded());

    KeyStore trust = empty();
    trust.setCertificateEntry("ca", all.getCertificate("ca"));
    store(trust, trustStore());
    for (String who : List.of("server", "client")) {
      KeyStore own = empty();
      own.setKeyEntry(who, all.getKey(who, secret), secret, all.getCertificateChain(who));
      store(own, file(who + ".p12"));
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static KeyStore load(Path file) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private static void store(KeyStore store, Path file)
      throws GeneralSecurityException, IOException {
    try (var out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
  }

  private static void pem(Path file, String kind, byte[] bytes) throws IOException {
    byte[] newline = "\n".getBytes(StandardCharsets.US_ASCII);
    String text = Base64.getMimeEncoder(64, newline).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, text, kind));
  }

  private Path file(String name) {
    return place.folder().resolve(name);
  }
}
