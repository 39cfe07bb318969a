package io.holdfast.benchmarks;

import com.google.gson.Gson;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a child process is told to do; sent over its standard input, because a command line, which
 * everybody on the machine can read, is no place for a store's password.
 */
record Assignment(Entrant entrant, String name, int threads, long sectionNanos, String folder) {

  static Assignment of(Entrant entrant, Workload workload, Path folder) {
    return new Assignment(
        entrant,
        workload.names().get(0),
        workload.threads(),
        workload.section().toNanos(),
        folder.toString());
  }

  Workload workload() {
    return Workload.shared(name, threads, Duration.ofNanos(sectionNanos));
  }

  /** The ledger that all processes on this name share. */
  Path ledger() {
    return Path.of(folder, name.replaceAll("[^A-Za-z0-9]", "-") + ".ledger");
  }

  String encoded() {
    return new Gson().toJson(this);
  }

  static Assignment decoded(String text) {
    return new Gson().fromJson(text, Assignment.class);
  }
}
