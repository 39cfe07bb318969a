package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import java.util.List;
import java.util.function.Supplier;

/**
 * A connection to a library: creates a caller for each thread. It closes its resources in order.
 */
final class PeerSession implements Contender.Session {

  private final Supplier<Contender.Caller> callers;
  private final List<AutoCloseable> resources;

  PeerSession(Supplier<Contender.Caller> callers, AutoCloseable... resources) {
    this.callers = callers;
    this.resources = List.of(resources);
  }

  @Override
  public Contender.Caller caller() {
    return callers.get();
  }

  @Override
  public void close() throws Exception {
    closeFrom(0);
  }

  /** Closes the rest even if one fails. */
  private void closeFrom(int first) throws Exception {
    if (first < resources.size()) {
      try {
        resources.get(first).close();
      } finally {
        closeFrom(first + 1);
      }
    }
  }
}
