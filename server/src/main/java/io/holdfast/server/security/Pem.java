package io.holdfast.server.security;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and unencrypted private keys from PEM text. */
final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  private static final class Block {
    final String label;
    final byte[] content;

    Block(String label, byte[] content) {
      this.label = label;
      this.content = content;
    }
  }

  private Pem() {}

  /** Reads the certificates, in the order of the text; at least one. */
  static List<X509Certificate> certificates(byte[] text) throws GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks(text)) {
      if (block.label.equals("CERTIFICATE")) {
        ByteArrayInputStream content = new ByteArrayInputStream(block.content);
        certificates.add((X509Certificate) factory.generateCertificate(content));
      }
    }
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("there must be a BEGIN CERTIFICATE block");
    }
    return certificates;
  }

  /**
   * Reads the private key of a certificate: PKCS#8, or the older forms of OpenSSL for RSA and EC.
   */
  static PrivateKey privateKey(byte[] text, PublicKey certified) throws GeneralSecurityException {
    for (Block block : blocks(text)) {
      switch (block.label) {
        case "PRIVATE KEY" -> {
          return key(block.content, certified);
        }
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
          return key(inPkcs8(block.content, certified), certified);
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new IllegalArgumentException(
                "the private key must not be encrypted: use a PKCS12 file, or run"
                    + " openssl pkcs8 -in KEY -out NEW-KEY");
        default -> {
          // Certificates and parameters may be in the same file.
        }
      }
    }
    throw new IllegalArgumentException("there must be a BEGIN PRIVATE KEY block");
  }

  private static PrivateKey key(byte[] pkcs8, PublicKey certified) throws GeneralSecurityException {
    String algorithm = certified.getAlgorithm();
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (InvalidKeySpecException e) {
      // Without its cause, which may describe the key.
      throw new IllegalArgumentException(
          "the private key must be a key for " + algorithm + ", as the certificate is");
    }
  }

  /**
   * Puts a key of OpenSSL's older forms into PKCS#8: version, algorithm, key. The algorithm with
   * its parameters, such as the curve, is the one in the certificate's public key.
   */
  private static byte[] inPkcs8(byte[] key, PublicKey certified) {
    byte[] spki = certified.getEncoded();
    int start = header(spki, 0);
    int contentStart = header(spki, start);
    int end = contentStart + length(spki, start);
    byte[] algorithm = Arrays.copyOfRange(spki, start, end);
    byte[] version = {2, 1, 0};
    return der(0x30, version, algorithm, der(0x04, key));
  }

  /** Returns where the content of a DER value begins. */
  private static int header(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int length(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < (first & 0x7f); i++) {
      length = (length << 8) | (der[at + 2 + i] & 0xff);
    }
    return length;
  }

  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.size();
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  private static List<Block> blocks(byte[] text) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(new String(text, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      String label = matcher.group(1);
      try {
        blocks.add(new Block(label, Base64.getMimeDecoder().decode(matcher.group(2))));
      } catch (IllegalArgumentException e) {
        // Without its cause, which quotes the content.
        throw new IllegalArgumentException("the block " + label + " must be Base64");
      }
    }
    return blocks;
  }
}
