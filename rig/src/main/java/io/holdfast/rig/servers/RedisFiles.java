package io.holdfast.rig.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The files in a Redis server's folder. */
final class RedisFiles {
  private static final String NEXT_MASTER = "next-master";

  private RedisFiles() {}

  /** Makes the next start a replica of this server, whatever its options say. */
  static void putNextMaster(Path folder, RedisServer master) {
    try {
      Files.writeString(folder.resolve(NEXT_MASTER), Integer.toString(master.port()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void forgetNextMaster(Path folder) {
    delete(folder.resolve(NEXT_MASTER));
  }

  /** The options that {@link #putNextMaster} asked for, or none. */
  static List<String> nextMaster(Path folder) {
    Path file = folder.resolve(NEXT_MASTER);
    try {
      return Files.exists(file)
          ? List.of("--replicaof", "127.0.0.1", Files.readString(file))
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes snapshot and log, but not what a cluster node knows about its cluster. */
  static void deleteData(Path folder) {
    for (String name : List.of("dump.rdb", "appendonlydir")) {
      delete(folder.resolve(name));
    }
  }

  private static void delete(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
