package io.holdfast.server.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Checks who may read and write a file, where the file system has POSIX permissions. */
final class FilePermissions {

  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private FilePermissions() {}

  /** Checks that only the owner of the file can do anything with it. */
  static void requireOwnerOnly(String what, Path file) {
    if (!OWNER.containsAll(of(what, file))) {
      throw new IllegalArgumentException(
          what + " " + file + " must be readable by its owner only: run chmod 600 " + file);
    }
  }

  /** Checks that not everybody on the machine can change the file. */
  static void requireNotWritableByAll(String what, Path file) {
    if (of(what, file).contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IllegalArgumentException(
          what + " " + file + " must not be writable by everybody: run chmod o-w " + file);
    }
  }

  static boolean isReadableByAll(String what, Path file) {
    return of(what, file).contains(PosixFilePermission.OTHERS_READ);
  }

  private static Set<PosixFilePermission> of(String what, Path file) {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return Set.of();
    }
    try {
      return view.readAttributes().permissions();
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(what + " " + file + " does not exist", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(what + " " + file + " cannot be read", e);
    }
  }
}
