package io.holdfast.rig.process;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Closes what is still open when the JVM ends, in a shutdown hook. The newest is first, because a
 * server is started after its folder was made.
 */
final class ExitCleanup {
  private static final Deque<Runnable> OPEN = new ConcurrentLinkedDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ExitCleanup::clear, "rig-leftovers"));
  }

  private ExitCleanup() {}

  static void add(Runnable clearing) {
    OPEN.push(clearing);
  }

  static void remove(Runnable clearing) {
    OPEN.remove(clearing);
  }

  private static void clear() {
    for (Runnable clearing : OPEN) {
      try {
        clearing.run();
      } catch (RuntimeException | AssertionError e) {
        // The JVM is going down: the others still have to be cleared away.
        System.err.println("rig: not cleared away at shutdown: " + e);
      }
    }
  }
}
