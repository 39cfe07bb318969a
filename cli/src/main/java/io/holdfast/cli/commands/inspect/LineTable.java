package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.Durations;
import io.holdfast.cli.Screen;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import java.util.List;

/** Prints lines as a table: one row for each holder, or a single row. */
final class LineTable {

  private LineTable() {}

  /** Cuts long rows on a terminal, and nowhere else: programs want them whole. */
  static List<String> of(List<LineView> lines, Screen screen) {
    TextTable table =
        new TextTable("NAME", "KIND", "STATE", "AGE", "LEASE", "TOKEN", "WAIT", "HOLDER");
    for (LineView line : lines) {
      LineDescription facts = new LineDescription(line);
      if (facts.holders().isEmpty()) {
        addEmpty(table, facts);
      }
      for (TicketView holder : facts.holders()) {
        add(table, facts, holder);
      }
    }
    return table.lines(screen, screen.isTerminal() ? screen.width() : 0);
  }

  private static void add(TextTable table, LineDescription facts, TicketView holder) {
    table.add(
        Screen.safe(facts.name()),
        facts.kind(),
        holder.state() == TicketView.State.REVOKED ? "revoked" : "held",
        Durations.text(holder.age()),
        Durations.text(holder.leaseLeft()),
        String.valueOf(holder.token()),
        facts.waiting(),
        LineDescription.label(holder.owner()));
  }

  /** A mark has no holder: its time is how long it stays. */
  private static void addEmpty(TextTable table, LineDescription facts) {
    table.add(
        Screen.safe(facts.name()),
        facts.kind(),
        facts.state(),
        "-",
        facts.line().marked().map(Durations::text).orElse("-"),
        "-",
        facts.waiting(),
        "-");
  }
}
