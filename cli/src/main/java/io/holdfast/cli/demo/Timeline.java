package io.holdfast.cli.demo;

import io.holdfast.cli.demo.DemoStyle.Paint;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Prints one row for each event: time, state of each machine, and text. */
final class Timeline {

  /** What a machine is doing. */
  enum State {
    IDLE("·", "."),
    WAITS("○", "o"),
    IN("█", "#"),
    STOPPED("▒", "z");

    private final String symbol;
    private final String ascii;

    State(String symbol, String ascii) {
      this.symbol = symbol;
      this.ascii = ascii;
    }

    String shown(DemoStyle look) {
      return look.pick(symbol, ascii);
    }
  }

  /** How wide the bar of a lease is. */
  private static final int BAR = 40;

  private static final Paint[] PAINTS = {Paint.CYAN, Paint.YELLOW, Paint.MAGENTA, Paint.BLUE};

  private final DemoScreen screen;
  private final DemoStyle look;
  private final List<String> names;
  private final State[] states;
  private long start = System.nanoTime();
  private int parts;

  Timeline(DemoScreen screen, DemoStyle look, List<String> names) {
    this.screen = screen;
    this.look = look;
    this.names = names;
    this.states = new State[names.size()];
    Arrays.fill(states, State.IDLE);
  }

  /** Says what is to come, and what the signs mean. */
  void introduce(String title, String text) {
    screen.line(look.paint(Paint.BOLD, title));
    screen.line("");
    text.lines().forEach(screen::line);
    screen.line("");
    StringBuilder legend = new StringBuilder("  ");
    for (State state : State.values()) {
      String word = state == State.IN ? "has the lock" : state.name().toLowerCase(Locale.ROOT);
      legend.append(state.shown(look)).append(' ').append(word).append("    ");
    }
    screen.line(look.paint(Paint.DIM, legend.toString().stripTrailing()));
  }

  /** Begins another part of the story. */
  synchronized void part(String title) {
    if (parts++ == 0) {
      start = System.nanoTime();
    }
    screen.line("");
    screen.line(look.paint(Paint.BOLD, parts + ". " + title));
    StringBuilder header = new StringBuilder(look.paint(Paint.DIM, "    time "));
    for (int i = 0; i < names.size(); i++) {
      header.append(look.paint(PAINTS[i], String.format(Locale.ROOT, "  %s", names.get(i))));
    }
    screen.line(header.toString());
  }

  /** Something good or plain happened to a machine. */
  void row(TimelineColumn actor, State state, String text) {
    add(actor, state, text);
  }

  /** Something bad happened to a machine. */
  void alarm(TimelineColumn actor, State state, String text) {
    add(actor, state, look.paint(Paint.RED, text));
  }

  private synchronized void add(TimelineColumn actor, State state, String text) {
    states[actor.column()] = state;
    StringBuilder row = new StringBuilder();
    row.append(look.paint(Paint.DIM, String.format(Locale.ROOT, "%6.2f s ", elapsed())));
    for (int i = 0; i < states.length; i++) {
      String symbol = states[i].shown(look);
      row.append("   ").append(look.paint(paint(i), symbol)).append(' ');
    }
    screen.line(row + "   " + named(actor) + " " + text);
  }

  private Paint paint(int column) {
    return states[column] == State.IDLE ? Paint.DIM : PAINTS[column];
  }

  /** A machine's name in its colour. */
  String named(TimelineColumn actor) {
    return look.paint(PAINTS[actor.column()], actor.name());
  }

  synchronized State state(TimelineColumn actor) {
    return states[actor.column()];
  }

  /** Redraws the bar of a lease. */
  void bar(TimelineColumn actor, Duration left, Duration whole) {
    int full = (int) Math.min(BAR, BAR * left.toMillis() / Math.max(1, whole.toMillis()));
    String rest = look.pick("░", "-").repeat(BAR - full);
    screen.redraw(
        look.paint(Paint.DIM, "   lease   ")
            + look.paint(PAINTS[actor.column()], look.pick("█", "#").repeat(full))
            + look.paint(Paint.DIM, rest)
            + String.format(Locale.ROOT, "  %.1f s for ", left.toMillis() / 1000.0)
            + named(actor));
  }

  /** Redraws the bar when nobody has a lease. */
  void noBar() {
    screen.redraw(
        look.paint(Paint.DIM, "   lease   " + look.pick("░", "-").repeat(BAR) + "  free"));
  }

  synchronized double elapsed() {
    return (System.nanoTime() - start) / 1e9;
  }
}
