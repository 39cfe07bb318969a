package io.holdfast.spi.support;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The files of an encrypted connection, as an address names them. Not opened yet.
 *
 * @param trustStore the trusted certificates; empty: the JDK's
 * @param keyStore the client's own certificate and key; empty: none
 */
public record TlsFiles(Optional<StoreFile> trustStore, Optional<StoreFile> keyStore) {

  /**
   * A file with certificates or keys.
   *
   * @param password empty for none
   */
  public record StoreFile(Path file, String password) {

    /** Without the password. */
    @Override
    public String toString() {
      return file.toString();
    }
  }
}
