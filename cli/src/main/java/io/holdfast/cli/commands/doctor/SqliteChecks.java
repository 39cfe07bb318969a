package io.holdfast.cli.commands.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks the files of a SQLite store: permissions and location. */
final class SqliteChecks {

  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  /** Where SQLite's locks do not work, or not over machines. */
  private static final List<String> REMOTE =
      List.of("nfs", "cifs", "smb", "fuse.sshfs", "9p", "afs");

  private SqliteChecks() {}

  /**
   * Looks.
   *
   * @param url {@code jdbc:sqlite:FILE} and parameters
   * @param journal how it keeps its log
   */
  static void look(Checkup rounds, String url, String journal) throws IOException {
    String place = url.substring("jdbc:sqlite:".length()).split("\\?", 2)[0];
    Path file = Path.of(place.startsWith("file:") ? place.substring("file:".length()) : place);
    rounds.say(
        journal.equalsIgnoreCase("wal")
            ? Finding.good("journal", "WAL: readers and writers are not in each other's way")
            : Finding.warn("journal", journal + ": others wait for each other", "use WAL"));
    modes(rounds, file);
    String type = Files.getFileStore(file).type().toLowerCase(Locale.ROOT);
    rounds.say(
        REMOTE.stream().anyMatch(type::startsWith)
            ? Finding.bad(
                "disk",
                file + " is on " + type + ", where machines do not see each other's locks",
                "put it on a disk of this machine, or use a server")
            : Finding.good("disk", file + " is on " + type + ", of this machine alone"));
  }

  private static void modes(Checkup rounds, Path file) throws IOException {
    for (String end : List.of("", "-wal", "-shm")) {
      Path each = Path.of(file + end);
      if (!Files.exists(each)) {
        continue;
      }
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(each);
      String text = each + " is " + PosixFilePermissions.toString(mode);
      boolean ours = mode.stream().noneMatch(OF_OTHERS::contains);
      rounds.say(
          ours
              ? Finding.good("file", text)
              : Finding.warn(
                  "file",
                  text + ": other users may read who holds what, or take it away",
                  "chmod 600 it, unless they share it on purpose"));
    }
  }
}
