package io.holdfast.jdbc.dialect;

import io.holdfast.spi.Resource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of a lock as databases take it: a number, or 64 characters.
 *
 * <p>Two resources with one name would exclude each other, and nothing worse.
 *
 * @param number the first 64 bits of a hash
 * @param text all of the hash, in hex
 */
public record LockName(long number, String text) {

  /** Returns the lock of a resource. */
  public static LockName of(Resource resource) {
    return hash(resource.namespace() + '\0' + resource.name());
  }

  /** Returns the lock that a waiter for the resource takes, visible to the holder. */
  public static LockName wanted(Resource resource) {
    return hash(resource.namespace() + '\1' + resource.name());
  }

  /** Returns the lock of a transaction of the program: another one than that of the resource. */
  public static LockName ofTransaction(Resource resource) {
    return hash(resource.namespace() + '\3' + resource.name());
  }

  /** Returns the lock that minting shares, and raising the counter takes exclusively. */
  public static LockName gate(String counter) {
    return hash('\2' + counter);
  }

  private static LockName hash(String text) {
    byte[] hash = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    return new LockName(ByteBuffer.wrap(hash).getLong(), HexFormat.of().formatHex(hash));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
