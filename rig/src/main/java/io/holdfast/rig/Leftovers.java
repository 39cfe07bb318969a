package io.holdfast.rig;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * What has not been closed yet: a shutdown hook clears it away when the JVM ends first, the newest
 * first, because a server is started after its folder was made.
 */
final class Leftovers {
  private static final Deque<Runnable> OPEN = new ConcurrentLinkedDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::clear, "rig-leftovers"));
  }

  private Leftovers() {}

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
