package io.holdfast.benchmarks;

import io.holdfast.cli.Colours;
import java.io.PrintStream;

/** One line on a terminal that says what is under way; nothing elsewhere. */
final class ProgressLine {

  private static final String CLEAR = "\r\u001b[K";

  private final PrintStream stream;
  private final boolean shown;

  ProgressLine(PrintStream stream, Colours colours) {
    this.stream = stream;
    this.shown = colours == Colours.ON;
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
