package io.holdfast.rig.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Settings that save time for servers that live for seconds, as in tests.
 *
 * <p>They are on where the system property {@code holdfast.rig.short-lived} is true. Benchmarks
 * leave them off: there, servers write to a real disk and run at full speed. What tests rely on
 * stays the same: files in memory survive a server that is killed, as files on a disk do.
 */
public final class ShortLivedServers {
  private static final boolean ON = Boolean.getBoolean("holdfast.rig.short-lived");
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM = 6L << 30;

  private ShortLivedServers() {}

  /** Options for servers that are Java programs. */
  public static List<String> jvmOptions() {
    return ON ? List.of("-XX:TieredStopAtLevel=1") : List.of();
  }

  /** Creates a new folder, in memory if there is room for it. */
  static Path createFolder(String prefix) throws IOException {
    return ON && hasRoom()
        ? Files.createTempDirectory(MEMORY, prefix)
        : Files.createTempDirectory(prefix);
  }

  private static boolean hasRoom() throws IOException {
    return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ROOM;
  }
}
