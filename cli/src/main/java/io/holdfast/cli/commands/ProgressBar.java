package io.holdfast.cli.commands;

import io.holdfast.cli.Screen;

/** Shows progress in one line of a terminal; prints nothing elsewhere. */
final class ProgressBar implements AutoCloseable {

  private static final int WIDTH = 24;
  private static final String CLEAR = "\r\u001b[K";

  private final Screen screen;

  ProgressBar(Screen screen) {
    this.screen = screen;
  }

  void show(int done, int all, String what) {
    if (screen.isTerminal()) {
      int full = Math.min(WIDTH, WIDTH * done / Math.max(1, all));
      String bar = "#".repeat(full) + "-".repeat(WIDTH - full);
      String line = "[" + bar + "] " + done + "/" + all + " " + what;
      int width = screen.width() - 1;
      screen.print(CLEAR + (line.length() > width ? line.substring(0, width) : line));
    }
  }

  /** Takes the line away. */
  @Override
  public void close() {
    if (screen.isTerminal()) {
      screen.print(CLEAR);
    }
  }
}
