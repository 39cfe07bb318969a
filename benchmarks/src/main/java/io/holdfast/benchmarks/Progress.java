package io.holdfast.benchmarks;

import java.io.PrintStream;

/** One line on a terminal that says what is under way; nothing elsewhere. */
final class Progress {

  private static final String CLEAR = "\r\u001b[K";

  private final PrintStream stream;
  private final boolean shown;

  Progress(PrintStream stream, Ink ink) {
    this.stream = stream;
    this.shown = ink == Ink.COLOURED;
  }

  void say(String what) {
    if (shown) {
      stream.print(CLEAR + what);
      stream.flush();
    }
  }

  void clear() {
    if (shown) {
      stream.print(CLEAR);
      stream.flush();
    }
  }
}
