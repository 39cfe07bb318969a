package io.holdfast.server.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A certificate chain with its private key, checked to belong together. */
record KeyMaterial(PrivateKey key, List<X509Certificate> chain) {

  private static final String ALIAS = "server";
  private static final byte[] PROBE = {'h', 'o', 'l', 'd', 'f', 'a', 's', 't'};

  KeyMaterial {
    chain = List.copyOf(chain);
    requireMatch(key, chain.get(0).getPublicKey());
  }

  /** Reads the one entry with a private key of a PKCS12 store. */
  static KeyMaterial fromPkcs12(byte[] content, String password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(new ByteArrayInputStream(content), password.toCharArray());
    @Nullable KeyMaterial found = null;
    for (String alias : Collections.list(store.aliases())) {
      Key key = store.getKey(alias, password.toCharArray());
      if (key instanceof PrivateKey privateKey) {
        if (found != null) {
          throw new IllegalArgumentException("the store must have one private key, and has more");
        }
        found = new KeyMaterial(privateKey, chain(store.getCertificateChain(alias)));
      }
    }
    if (found == null) {
      throw new IllegalArgumentException("the store must have a private key, and has none");
    }
    return found;
  }

  private static List<X509Certificate> chain(Certificate[] certificates) {
    return List.of(certificates).stream().map(X509Certificate.class::cast).toList();
  }

  /** Returns until when the certificate is valid. */
  Instant ends() {
    return chain.get(0).getNotAfter().toInstant();
  }

  /** Returns a store in memory with this key. */
  KeyStore toKeyStore(String password) throws GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setKeyEntry(ALIAS, key, password.toCharArray(), chain.toArray(new X509Certificate[0]));
    return store;
  }

  /** Returns a store in memory with certificates to trust. */
  static KeyStore trusting(List<X509Certificate> certificates) throws GeneralSecurityException {
    KeyStore store = emptyStore();
    for (int i = 0; i < certificates.size(); i++) {
      store.setCertificateEntry("ca" + i, certificates.get(i));
    }
    return store;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new GeneralSecurityException("a new key store reads nothing", e);
    }
  }

  private static void requireMatch(PrivateKey key, PublicKey certified) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(PROBE);
      byte[] signature = signing.sign();
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(certified);
      verifying.update(PROBE);
      if (verifying.verify(signature)) {
        return;
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "the private key does not belong to the first certificate", e);
    }
    throw new IllegalArgumentException("the private key does not belong to the first certificate");
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "certificate of "
        + chain.get(0).getSubjectX500Principal().getName()
        + ", valid until "
        + ends();
  }
}
