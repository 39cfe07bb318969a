package io.holdfast.benchmarks;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a child process is told to do; sent over its standard input, because a command line, which
 * everybody on the machine can read, is no place for a store's password.
 */
record Assignment(
    Entrant entrant, List<String> names, int first, int threads, long sectionNanos, String folder) {

  static Assignment of(Entrant entrant, Workload workload, Path folder) {
    return new Assignment(
        entrant,
        workload.names(),
        workload.first(),
        workload.threads(),
        workload.section().toNanos(),
        folder.toString());
  }

  Workload workload() {
    return new Workload(names, first, threads, Duration.ofNanos(sectionNanos));
  }

  /** The ledger that all processes on these names share. */
  Ledger ledger() throws IOException {
    String file = names.get(0).replaceAll("[^A-Za-z0-9]", "-") + ".ledger";
    return Ledger.inFile(Path.of(folder, file), names.size());
  }

  String encoded() {
    return new Gson().toJson(this);
  }

  static Assignment decoded(String text) {
    return new Gson().fromJson(text, Assignment.class);
  }
}
