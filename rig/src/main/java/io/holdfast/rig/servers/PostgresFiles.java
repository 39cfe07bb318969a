package io.holdfast.rig.servers;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ServerLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The files in a PostgreSQL server's folder. */
final class PostgresFiles {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final Program IPCRM = Program.of("ipcrm", "util-linux");

  // The lines of postmaster.pid, counted from 0.
  private static final int PROCESS = 0;
  private static final int SHARED_MEMORY = 6;
  private static final int STATUS = 7;

  private PostgresFiles() {}

  /** Makes a new data folder, with a system identifier of its own. */
  static void create(ServerLocation place) {
    PostgresPrograms.initdb(place, BOUND);
    Path rules = data(place).resolve("pg_hba.conf");
    String needsPassword =
        "host all +" + PostgresPrograms.PASSWORD_USERS + " 127.0.0.1/32 scram-sha-256\n";
    try {
      // The first rule that fits decides.
      Files.writeString(rules, needsPassword + Files.readString(rules));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path data(ServerLocation place) {
    return place.folder().resolve(DataTemplate.DATA);
  }

  /** Whether this very process says of itself that it takes connections. */
  static boolean isReady(ServerLocation place, long pid) throws IOException {
    List<String> lines = Files.readAllLines(pidFile(place));
    return lines.size() > STATUS
        && lines.get(PROCESS).strip().equals(Long.toString(pid))
        && lines.get(STATUS).strip().equals("ready");
  }

  /**
   * Frees what a killed server left in the kernel: a small segment of shared memory, by which the
   * next start on the same data would have seen whether anybody is left of the last.
   */
  static void freeSharedMemory(ServerLocation place) {
    if (!Files.exists(pidFile(place)) || IPCRM.locate().isEmpty()) {
      return; // ended in order, or a system without the means
    }
    try {
      List<String> lines = Files.readAllLines(pidFile(place));
      if (lines.size() > SHARED_MEMORY) {
        String[] keyAndId = lines.get(SHARED_MEMORY).strip().split("\\s+", -1);
        place.run(
            BOUND, List.of(IPCRM.find().toString(), "--shmem-id", keyAndId[keyAndId.length - 1]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path pidFile(ServerLocation place) {
    return data(place).resolve("postmaster.pid");
  }
}
