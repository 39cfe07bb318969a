package io.holdfast.server;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/** The file with the key of tickets, made by the first server that needs it. */
final class KeyFile {

  private static final int KEY_BYTES = 32;

  private KeyFile() {}

  /** A key for one server alone: its tickets end with it, as far as their clients can tell. */
  static byte[] random() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }

  /**
   * Reads the file, or makes it.
   *
   * @throws IOException when it can be neither read nor made, or has no key in it
   */
  static byte[] readOrMake(Path file) throws IOException {
    if (!Files.exists(file)) {
      make(file);
    }
    byte[] key = Files.readAllBytes(file);
    if (key.length < KEY_BYTES) {
      throw new IOException(
          file + " has " + key.length + " bytes and no key: delete it, or name another file");
    }
    return key;
  }

  /** Written under another name first: a server that starts meanwhile sees a whole key or none. */
  private static void make(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    FileAttribute<?> ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path written = Files.createTempFile(folder, ".key", "", ownerOnly);
    try {
      Files.write(written, random());
      Files.createLink(file, written);
    } catch (FileAlreadyExistsException e) {
      // Another server was faster.
    } finally {
      Files.deleteIfExists(written);
    }
  }
}
