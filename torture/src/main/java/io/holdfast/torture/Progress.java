package io.holdfast.torture;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/** Prints how far the run is, a line every ten seconds at most. */
final class Progress {
  private static final long EVERY = TimeUnit.SECONDS.toNanos(10);

  private final PrintStream out;
  private long last = System.nanoTime() - EVERY;

  Progress(PrintStream out) {
    this.out = out;
  }

  void say(String text) {
    if (System.nanoTime() - last >= EVERY) {
      last = System.nanoTime();
      out.println(text);
    }
  }
}
