package io.holdfast.cli.store;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ErrorText;
import io.holdfast.cli.ExitCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The default store: a SQLite file shared by the processes of one user.
 *
 * <p>Folder and file are accessible to that user only; SQLite gives its other files the same mode.
 */
public final class DefaultStore {

  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private DefaultStore() {}

  /**
   * Its address; makes folder and file if they are not there, and takes rights of others away.
   *
   * @throws CliException when that cannot be done, or they belong to another user
   */
  public static String uri(Path folder) {
    Path file = folder.resolve("locks.db");
    if (file.toString().matches(".*[?&;%#].*")) {
      throw new CliException(
          ExitCode.USAGE, file + " has a character that an address cannot have: use --store");
    }
    try {
      makeFolder(folder);
      makeFile(file);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.STORE,
          "cannot use "
              + file
              + " as store: "
              + ErrorText.ofFile(e)
              + "; set XDG_STATE_HOME, or use --store");
    }
    SqliteLibrary.keepIn(folder);
    return "jdbc:sqlite:" + file;
  }

  private static void makeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder.toAbsolutePath().getParent());
      try {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER));
      } catch (FileAlreadyExistsException e) {
        // Another process was faster.
      }
    }
    restrict(folder, FOLDER);
  }

  private static void makeFile(Path file) throws IOException {
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
    } catch (FileAlreadyExistsException e) {
      restrict(file, FILE);
    }
  }

  /** Only the owner can do this, so it fails where somebody else has put something in the way. */
  private static void restrict(Path path, Set<PosixFilePermission> mode) throws IOException {
    if (Files.isSymbolicLink(path)) {
      throw new IOException(path + " is a link");
    }
    if (!Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).equals(mode)) {
      Files.setPosixFilePermissions(path, mode);
    }
  }
}
