package io.holdfast.cli.demo;

import java.io.PrintStream;

/** Prints lines and, on a terminal, redraws one line below them. */
final class DemoScreen implements AutoCloseable {

  private static final String HIDE_CURSOR = "\u001b[?25l";
  private static final String SHOW_CURSOR = "\u001b[?25h";
  private static final String CLEAR_LINE = "\r\u001b[2K";

  private final PrintStream out;
  private final boolean live;
  private String last = "";
  private boolean closed;

  DemoScreen(PrintStream out, boolean live) {
    this.out = out;
    this.live = live;
    if (live) {
      out.print(HIDE_CURSOR);
    }
  }

  synchronized void line(String text) {
    if (live && !closed) {
      out.print(CLEAR_LINE + text + "\n" + last);
    } else {
      out.println(text.stripTrailing());
    }
    out.flush();
  }

  /** Redraws the last line; it must fit into the terminal's width. */
  synchronized void redraw(String text) {
    if (live && !closed && !text.equals(last)) {
      last = text;
      out.print(CLEAR_LINE + text);
      out.flush();
    }
  }

  /** Leaves the terminal as it was; lines may still come. */
  @Override
  public synchronized void close() {
    if (live && !closed) {
      out.print(CLEAR_LINE + SHOW_CURSOR);
      out.flush();
    }
    closed = true;
  }
}
