package io.holdfast.torture;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Checks that the store is empty one lease after all workers have ended. */
final class Leftovers {
  private static final Duration SLACK = Duration.ofSeconds(8);
  private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(300);

  private Leftovers() {}

  /** Waits until nothing is left, for a lease and some seconds; returns what is left then. */
  static List<String> await(String uri, String namespace, Duration lease) {
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS.withNamespace(namespace).withLease(lease).withApp("torture");
    long end = System.nanoTime() + lease.plus(SLACK).toNanos();
    try (Holdfast holdfast = Holdfast.connect(uri, options)) {
      EngineInspector inspector =
          holdfast
              .inspector()
              .orElseThrow(() -> new IllegalStateException("this store cannot be looked into"));
      while (true) {
        boolean last = System.nanoTime() - end >= 0;
        try {
          List<LineView> lines =
              inspector.list(namespace, "", "", EngineInspector.MAX_PAGE).stream()
                  .filter(line -> !line.tickets().isEmpty() || line.unlisted())
                  .toList();
          if (lines.isEmpty() || last) {
            return lines.stream().map(Leftovers::text).toList();
          }
        } catch (EngineException e) {
          if (last) {
            return List.of("the store cannot be looked into: " + e.getMessage());
          }
        }
        LockSupport.parkNanos(EVERY);
      }
    }
  }

  /** Who stands in line for each name now; empty if the store cannot be asked. */
  static Map<String, String> look(String uri, String namespace, Duration lease) {
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS.withNamespace(namespace).withLease(lease).withApp("torture");
    try (Holdfast holdfast = Holdfast.connect(uri, options)) {
      Map<String, String> lines = new HashMap<>();
      for (LineView line :
          holdfast.inspector().orElseThrow().list(namespace, "", "", EngineInspector.MAX_PAGE)) {
        lines.put(line.resource().name(), line.tickets().toString());
      }
      return lines;
    } catch (EngineException | NoSuchElementException e) {
      return Map.of();
    }
  }

  private static String text(LineView line) {
    return line.resource().name() + ": " + line.tickets();
  }
}
