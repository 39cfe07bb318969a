package io.holdfast.server.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that all replicas of a service share, for {@linkplain SealedTickets sealed tickets}.
 *
 * <p>The file has one key a line, 32 random bytes in Base64; lines that begin with {@code #} are
 * comments. The first key seals, all of them open: to change the key, put a new one first on every
 * replica, and remove the old one when no ticket of it is left. Immutable.
 */
public final class KeyFile {

  private static final int KEY_BYTES = 32;
  private static final int MAX_BYTES = 1 << 16;
  private static final String WHAT = "key file";

  private final List<byte[]> keys;

  private KeyFile(List<byte[]> keys) {
    this.keys = List.copyOf(keys);
  }

  /** Returns a key that is in no file: for the tickets of one process. */
  public static KeyFile random() {
    return new KeyFile(List.of(newKey()));
  }

  private static byte[] newKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }

  /**
   * Reads the file, or makes it with a new random key and permissions for its owner alone. Of
   * several processes that start at once on one file, all get the same key.
   *
   * @throws IllegalArgumentException when the file cannot be made or read, is malformed, or others
   *     than its owner have any permission on it
   */
  public static KeyFile openOrCreate(Path file) {
    try {
      if (Files.notExists(file)) {
        create(file);
      }
      FilePermissions.requireOwnerOnly(WHAT, file);
      try (InputStream in = Files.newInputStream(file)) {
        return parse(file, in.readNBytes(MAX_BYTES));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(WHAT + " " + file + " cannot be made or read: " + e, e);
    }
  }

  /** Writes the whole file under another name first, so that nobody reads half of it. */
  private static void create(Path file) throws IOException {
    String text =
        "# Seals the tickets of the lock service. All replicas have the same file.\n"
            + Base64.getEncoder().encodeToString(newKey())
            + "\n";
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    Path draft = Files.createTempFile(folder, ".holdfast-key", ".new", ownerOnly());
    try {
      try (FileChannel out = FileChannel.open(draft, EnumSet.of(StandardOpenOption.WRITE))) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      // Unlike a move, a link never replaces a file that another process has just made.
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      // The other process was first: its key counts.
      return;
    } catch (UnsupportedOperationException e) {
      Files.copy(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    Set<String> views = FileSystems.getDefault().supportedFileAttributeViews();
    return views.contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static KeyFile parse(Path file, byte[] content) {
    List<byte[]> keys = new ArrayList<>();
    String[] lines = new String(content, StandardCharsets.ISO_8859_1).split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].strip();
      if (!line.isEmpty() && line.charAt(0) != '#') {
        keys.add(key(file, i + 1, line));
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(
          WHAT + " " + file + " has no key; delete it, and the next start makes a new one");
    }
    return new KeyFile(keys);
  }

  private static byte[] key(Path file, int number, String line) {
    byte[] key = {};
    try {
      key = Base64.getDecoder().decode(line);
    } catch (IllegalArgumentException e) {
      // Its message quotes the key; the length says it as well.
    }
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          WHAT
              + " "
              + file
              + " line "
              + number
              + ": a key must be "
              + KEY_BYTES
              + " bytes in Base64");
    }
    return key;
  }

  /** Returns one key for this purpose from each key of the file, in their order. */
  List<SecretKeySpec> derive(String purpose) {
    return keys.stream()
        .map(key -> mac(new SecretKeySpec(key, SealedTickets.HMAC), purpose))
        .map(derived -> new SecretKeySpec(derived, SealedTickets.HMAC))
        .toList();
  }

  private static byte[] mac(SecretKeySpec key, String purpose) {
    try {
      Mac mac = Mac.getInstance(SealedTickets.HMAC);
      mac.init(key);
      return mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + SealedTickets.HMAC, e);
    }
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return keys.size() + " keys";
  }
}
