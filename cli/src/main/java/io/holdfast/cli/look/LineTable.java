package io.holdfast.cli.look;

import io.holdfast.cli.Durations;
import io.holdfast.cli.Screen;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import java.util.List;

/** Lines as a table: a row for each that is in, or one where nobody is. */
final class LineTable {

  private LineTable() {}

  /** Cuts long rows on a terminal, and nowhere else: programs want them whole. */
  static List<String> of(List<LineView> lines, Screen screen) {
    Columns table = new Columns("NAME", "KIND", "STATE", "AGE", "LEASE", "TOKEN", "WAIT", "HOLDER");
    for (LineView line : lines) {
      LineFacts facts = new LineFacts(line);
      if (facts.holders().isEmpty()) {
        addEmpty(table, facts);
      }
      for (TicketView holder : facts.holders()) {
        add(table, facts, holder);
      }
    }
    return table.lines(screen, screen.isTerminal() ? screen.width() : 0);
  }

  private static void add(Columns table, LineFacts facts, TicketView holder) {
    table.add(
        Screen.safe(facts.name()),
        facts.kind(),
        holder.state() == TicketView.State.REVOKED ? "revoked" : "held",
        Durations.text(holder.age()),
        Durations.text(holder.leaseLeft()),
        String.valueOf(holder.token()),
        facts.waiting(),
        LineFacts.label(holder.owner()));
  }

  /** A mark has no holder: its time is how long it stays. */
  private static void addEmpty(Columns table, LineFacts facts) {
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
