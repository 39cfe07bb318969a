package io.holdfast.rig.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Segments of shared memory, which outlive the process that made them unless somebody frees them.
 */
final class KernelMemory {
  private static final Path SEGMENTS = Path.of("/proc/sysvipc/shm");
  private static final int ID = 1;
  private static final int MAKER = 4;

  private KernelMemory() {}

  /** Whether this system reports it. */
  static boolean isVisible() {
    return Files.isReadable(SEGMENTS);
  }

  /** The ids of the segments that this process has created. */
  static List<String> madeBy(long pid) throws IOException {
    try (Stream<String> lines = Files.lines(SEGMENTS)) {
      return lines
          .map(line -> line.strip().split("\\s+", -1))
          .filter(fields -> fields[MAKER].equals(Long.toString(pid)))
          .map(fields -> fields[ID])
          .toList();
    }
  }
}
