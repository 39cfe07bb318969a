package io.holdfast.torture;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/** One line that says how far it is: rewritten at a terminal, else written now and then. */
final class Progress {
  private static final long EVERY = TimeUnit.SECONDS.toNanos(10);

  private final PrintStream out;
  private final boolean terminal;
  private long last = System.nanoTime() - EVERY;

  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  void say(String text) {
    if (terminal) {
      out.print("\r\u001b[K" + text);
      out.flush();
    } else if (System.nanoTime() - last >= EVERY) {
      last = System.nanoTime();
      out.println(text);
    }
  }

  void clear() {
    if (terminal) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
