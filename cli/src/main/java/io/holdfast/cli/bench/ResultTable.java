package io.holdfast.cli.bench;

import io.holdfast.cli.Colours;
import io.holdfast.cli.Colours.Ink;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the figures of a race as text in columns. */
public final class ResultTable {

  private static final List<String> HEAD =
      List.of(
          "contender",
          "ops/s",
          "spread",
          "p50",
          "p99",
          "longest",
          "least/most",
          "Jain",
          "B/op",
          "CPU/op",
          "vs first");

  private final Colours colours;

  public ResultTable(Colours colours) {
    this.colours = colours;
  }

  public String of(RaceResult row) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEAD);
    row.figures().forEach(entry -> lines.add(cells(row, entry)));
    int[] widths = widths(lines);
    StringBuilder text = new StringBuilder();
    text.append(colours.paint(Ink.BOLD, row.heading())).append('\n');
    text.append(colours.paint(Ink.FAINT, row.setup().method())).append('\n');
    text.append(colours.paint(Ink.FAINT, line(HEAD, widths))).append('\n');
    for (int i = 0; i < row.figures().size(); i++) {
      Figures entry = row.figures().get(i);
      String line = line(lines.get(i + 1), widths);
      text.append(entry.floor() ? colours.paint(Ink.FAINT, line) : line).append('\n');
    }
    row.figures().forEach(entry -> appendRemarks(text, entry));
    return text.toString();
  }

  private static List<String> cells(RaceResult row, Figures entry) {
    return List.of(
        entry.name() + (entry.floor() ? " (floor)" : ""),
        Units.count(entry.opsPerSecond()),
        Units.percent(entry.spread()),
        Units.nanos(entry.p50()),
        Units.nanos(entry.p99()),
        Units.nanos(entry.longest()),
        String.format(Locale.ROOT, "%.2f", entry.fairness().leastToMost()),
        String.format(Locale.ROOT, "%.2f", entry.fairness().jain()),
        Units.count(entry.bytesPerOp()),
        Units.nanos(entry.cpuPerOp()),
        Units.ratio(row.ratio(entry)));
  }

  private void appendRemarks(StringBuilder text, Figures entry) {
    if (entry.extras().containsKey(ExtraFigures.HELD)) {
      text.append(entry.name()).append(": ").append(held(entry.extras())).append('\n');
    } else if (entry.extras().containsKey(ExtraFigures.CONNECTIONS)) {
      text.append(entry.name()).append(": ").append(connections(entry)).append('\n');
    }
    if (entry.extras().containsKey(ExtraFigures.SHARE_OF_PROCESS + 1)) {
      text.append(entry.name()).append(": ").append(shares(entry)).append('\n');
    }
    for (String fault : entry.faults()) {
      text.append(colours.paint(Ink.BAD, "BROKEN  " + entry.name() + ": " + fault)).append('\n');
    }
  }

  private static String connections(Figures entry) {
    double number = entry.extras().getOrDefault(ExtraFigures.CONNECTIONS, 0.0);
    return Units.count(number) + (number == 1 ? " connection" : " connections");
  }

  private static String shares(Figures entry) {
    String parts =
        entry.extras().entrySet().stream()
            .filter(extra -> extra.getKey().startsWith(ExtraFigures.SHARE_OF_PROCESS))
            .map(extra -> Units.percent(extra.getValue()))
            .collect(Collectors.joining(", "));
    return "shares of the processes %s; longest wait of any %s"
        .formatted(parts, Units.nanos(entry.longest()));
  }

  private static String held(Map<String, Double> extras) {
    double connections = extras.getOrDefault(ExtraFigures.CONNECTIONS, 0.0);
    String threads =
        Units.count(extras.getOrDefault(ExtraFigures.THREADS, 0.0))
            + " threads in the process"
            + (connections == 0 ? "" : ", " + Units.count(connections) + " connections");
    return extras.getOrDefault(ExtraFigures.HELD, 0.0) == 0
        ? threads
        : "%s, taken at %s/s, %s still held at the end, %s bytes of heap each"
            .formatted(
                threads,
                Units.count(extras.getOrDefault(ExtraFigures.TAKEN_PER_SECOND, 0.0)),
                Units.count(extras.getOrDefault(ExtraFigures.STILL_HELD, 0.0)),
                Units.count(extras.getOrDefault(ExtraFigures.HEAP_BYTES_PER_HOLD, 0.0)));
  }

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[HEAD.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    return widths;
  }

  /** The name to the left, numbers to the right. */
  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? cells.get(i) + padding : "  " + padding + cells.get(i));
    }
    return line.toString();
  }
}
