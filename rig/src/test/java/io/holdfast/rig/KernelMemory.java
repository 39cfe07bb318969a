package io.holdfast.rig;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Shared memory that outlives the processes which made it, unless somebody frees it. */
final class KernelMemory {
  private static final Path SEGMENTS = Path.of("/proc/sysvipc/shm");
  private static final Path OBJECTS = Path.of("/dev/shm");

  private KernelMemory() {}

  /** The segments and objects of PostgreSQL that no process uses; none without {@code /proc}. */
  static Inventory abandoned() {
    return new Inventory("abandoned shared memory", KernelMemory::list);
  }

  private static List<String> list() throws Exception {
    if (!Files.isReadable(SEGMENTS) || !Files.isDirectory(OBJECTS)) {
      return List.of();
    }
    try (Stream<String> segments = Files.lines(SEGMENTS);
        Stream<Path> objects = Files.list(OBJECTS)) {
      Stream<String> unused =
          segments
              .skip(1)
              .map(line -> line.strip().split("\\s+", -1))
              .filter(fields -> fields[6].equals("0")) // processes that have it attached
              .map(fields -> "segment " + fields[1]);
      Stream<String> named =
          objects
              .map(object -> object.getFileName().toString())
              .filter(name -> name.startsWith("PostgreSQL."));
      return Stream.concat(unused, named).toList();
    }
  }
}
