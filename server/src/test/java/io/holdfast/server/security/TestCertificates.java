package io.holdfast.server.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Certificates for tests, made by the JDK's keytool. */
final class TestCertificates {

  static final String PASSWORD = "change-it";

  private static final String ALIAS = "it";

  private final Path folder;
  private final Map<String, Path> made = new HashMap<>();

  TestCertificates(Path folder) {
    this.folder = folder;
  }

  /** A self-signed certificate and its key, in a PKCS12 store; the same for the same name. */
  Path pkcs12(String name, String subject, String algorithm)
      throws IOException, InterruptedException {
    Path known = made.get(name + algorithm);
    Path store = known == null ? make(name + algorithm, subject, algorithm) : known;
    made.put(name + algorithm, store);
    return store;
  }

  private Path make(String name, String subject, String algorithm)
      throws IOException, InterruptedException {
    Path store = folder.resolve(name + ".p12");
    keytool(
        List.of(
            "-genkeypair",
            "-keystore",
            store.toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-alias",
            ALIAS,
            "-keyalg",
            algorithm,
            "-keysize",
            algorithm.equals("RSA") ? "2048" : "256",
            "-dname",
            subject,
            "-ext",
            "san=ip:127.0.0.1",
            "-validity",
            "30"));
    return store;
  }

  private static void keytool(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + output);
    }
  }

  static KeyStore load(Path store) throws IOException, GeneralSecurityException {
    KeyStore loaded = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      loaded.load(in, PASSWORD.toCharArray());
    }
    return loaded;
  }

  static X509Certificate certificate(Path store) throws IOException, GeneralSecurityException {
    return (X509Certificate) load(store).getCertificate(ALIAS);
  }

  static String certificatePem(Path store) throws IOException, GeneralSecurityException {
    return pem("CERTIFICATE", certificate(store).getEncoded());
  }

  static PrivateKey key(Path store) throws IOException, GeneralSecurityException {
    return (PrivateKey) load(store).getKey(ALIAS, PASSWORD.toCharArray());
  }

  static String keyPem(Path store) throws IOException, GeneralSecurityException {
    return pem("PRIVATE KEY", key(store).getEncoded());
  }

  /** The key inside PKCS#8, as older versions of OpenSSL write it. */
  static String oldKeyPem(Path store) throws IOException, GeneralSecurityException {
    byte[] pkcs8 = key(store).getEncoded();
    String label = key(store).getAlgorithm() + " PRIVATE KEY";
    // SEQUENCE, version, algorithm, then the OCTET STRING that is wanted.
    int at = content(pkcs8, 0);
    at = content(pkcs8, at) + 1;
    at = content(pkcs8, at) + length(pkcs8, at);
    return pem(label, Arrays.copyOfRange(pkcs8, content(pkcs8, at), pkcs8.length));
  }

  private static int content(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int length(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return first < 0x80 ? first : first == 0x81 ? der[at + 2] & 0xff : -1;
  }

  static String pem(String label, byte[] content) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
        + "\n-----END "
        + label
        + "-----\n";
  }
}
