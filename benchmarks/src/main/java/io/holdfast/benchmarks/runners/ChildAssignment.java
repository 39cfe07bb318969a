package io.holdfast.benchmarks.runners;

import com.google.gson.Gson;
import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.cli.bench.ProtectedCounters;
import io.holdfast.cli.bench.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The assignment of a child process, sent over its standard input. Every user of the machine can
 * read a command line, so it is no place for a store's password.
 */
record ChildAssignment(
    ContenderSpec spec,
    List<String> names,
    int first,
    int threads,
    long sectionNanos,
    String folder) {

  static ChildAssignment of(ContenderSpec spec, Workload workload, Path folder) {
    return new ChildAssignment(
        spec,
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
  ProtectedCounters ledger() throws IOException {
    String file = names.get(0).replaceAll("[^A-Za-z0-9]", "-") + ".ledger";
    return ProtectedCounters.inFile(Path.of(folder, file), names.size());
  }

  String encoded() {
    return new Gson().toJson(this);
  }

  static ChildAssignment decoded(String text) {
    return new Gson().fromJson(text, ChildAssignment.class);
  }
}
