package io.holdfast.cli.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;

/**
 * Unpacks the native library of SQLite's driver once, into the user's own folder.
 *
 * <p>The driver would unpack it at every start into a folder that all users share, and leave it
 * there if the process is killed.
 */
final class SqliteLibrary {

  private static final String NAME = "libsqlitejdbc.so";

  private SqliteLibrary() {}

  /** Does nothing where it cannot: then the driver does it in its own way. */
  static void keepIn(Path folder) {
    String version = version();
    String resource = "/org/sqlite/native/Linux/" + arch() + "/" + NAME;
    Path home = folder.resolve("sqlite-" + version + "-" + arch());
    if (version.isEmpty() || !isPlainLinux()) {
      return;
    }
    try {
      if (!Files.exists(home.resolve(NAME)) && !unpack(resource, home)) {
        return;
      }
      System.setProperty("org.sqlite.lib.path", home.toString());
      System.setProperty("org.sqlite.lib.name", NAME);
    } catch (IOException e) {
      System.setProperty("org.sqlite.tmpdir", folder.toString());
    }
  }

  private static boolean unpack(String resource, Path home) throws IOException {
    try (InputStream in = SqliteLibrary.class.getResourceAsStream(resource)) {
      if (in == null) {
        return false;
      }
      var ours = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
      Files.createDirectories(home, ours);
      Path part = Files.createTempFile(home, NAME, ".part", ours);
      // Written into the file that is there: a copy would be a new one, with the usual rights.
      try (OutputStream out = Files.newOutputStream(part)) {
        in.transferTo(out);
      }
      Files.move(part, home.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
      return true;
    }
  }

  /** Of the driver, so that another one gets a library of its own. */
  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = SqliteLibrary.class.getResourceAsStream("/sqlite-jdbc.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      return "";
    }
    return properties.getProperty("version", "");
  }

  private static String arch() {
    String arch = System.getProperty("os.arch", "");
    return arch.equals("amd64") ? "x86_64" : arch;
  }

  /** Systems with another C library have another native part, which only the driver can choose. */
  private static boolean isPlainLinux() {
    return System.getProperty("os.name", "").equals("Linux")
        && !Files.exists(Path.of("/lib/ld-musl-" + arch() + ".so.1"));
  }
}
