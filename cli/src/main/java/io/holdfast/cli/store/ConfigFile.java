package io.holdfast.cli.store;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The lines {@code key=value} of the config file; lines that begin with {@code #} are comments. */
final class ConfigFile {

  private static final Set<String> KEYS = Set.of("store", "user", "password", "password-file");
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  /** An empty configuration. */
  static final ConfigFile EMPTY = new ConfigFile(Path.of(""), Map.of());

  private final Path file;
  private final Map<String, String> values;

  private ConfigFile(Path file, Map<String, String> values) {
    this.file = file;
    this.values = values;
  }

  /**
   * Reads the file; a missing file is an empty configuration.
   *
   * @throws CliException when a line is not understood, or it has or names a password and others
   *     may read or write it
   */
  static ConfigFile read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return new ConfigFile(file, Map.of());
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, "cannot read the config file " + file);
    }
    ConfigFile config = new ConfigFile(file, values(file, lines));
    if (config.hasSecrets()) {
      requirePrivate(file);
    }
    return config;
  }

  /** Messages have the number of a line and never its text, which may be a secret. */
  private static Map<String, String> values(Path file, List<String> lines) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int equals = line.indexOf('=');
      String key = equals < 0 ? "" : line.substring(0, equals).strip();
      if (!KEYS.contains(key)) {
        throw new CliException(
            ExitCode.USAGE,
            file + ", line " + (i + 1) + ": expected one of " + new TreeSet<>(KEYS) + " and '='");
      }
      values.put(key, line.substring(equals + 1).strip());
    }
    return values;
  }

  /** A user who can write it could have the password in the named file sent to another store. */
  private boolean hasSecrets() {
    String store = values.get("store");
    return values.containsKey("password")
        || values.containsKey("password-file")
        || (store != null && StoreAddress.hasPassword(store));
  }

  @Nullable String get(String key) {
    return values.get(key);
  }

  /** A file that is named in it, relative to its own folder. */
  Path resolve(String name) {
    return file.resolveSibling(name);
  }

  /** Says no to a file with secrets that other users may read or write. */
  static void requirePrivate(Path file) {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (OTHERS.stream().anyMatch(permissions::contains)) {
        throw new CliException(
            ExitCode.USAGE,
            file + " has or names a password and other users may read or write it: chmod 600 it");
      }
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, "cannot read " + file);
    } catch (UnsupportedOperationException e) {
      // No such permissions on this system, so nothing to check.
    }
  }
}
