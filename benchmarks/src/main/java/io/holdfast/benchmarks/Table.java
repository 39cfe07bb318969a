package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A row's figures as text in columns. */
final class Table {

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

  private final Ink ink;

  Table(Ink ink) {
    this.ink = ink;
  }

  String of(Row row) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEAD);
    row.figures().forEach(racer -> lines.add(cells(row, racer)));
    int[] widths = widths(lines);
    StringBuilder text = new StringBuilder();
    text.append(ink.bold(row.heading())).append('\n');
    text.append(ink.faint(row.setup().method())).append('\n');
    text.append(ink.faint(line(HEAD, widths))).append('\n');
    for (int i = 0; i < row.figures().size(); i++) {
      Figures racer = row.figures().get(i);
      String line = line(lines.get(i + 1), widths);
      text.append(racer.floor() ? ink.faint(line) : line).append('\n');
    }
    row.figures().forEach(racer -> appendRemarks(text, racer));
    return text.toString();
  }

  private static List<String> cells(Row row, Figures racer) {
    return List.of(
        racer.name() + (racer.floor() ? " (floor)" : ""),
        Units.count(racer.opsPerSecond()),
        Units.percent(racer.spread()),
        Units.nanos(racer.p50()),
        Units.nanos(racer.p99()),
        Units.nanos(racer.longest()),
        String.format(Locale.ROOT, "%.2f", racer.fairness().leastToMost()),
        String.format(Locale.ROOT, "%.2f", racer.fairness().jain()),
        Units.count(racer.bytesPerOp()),
        Units.nanos(racer.cpuPerOp()),
        Units.ratio(row.ratio(racer)));
  }

  private void appendRemarks(StringBuilder text, Figures racer) {
    if (racer.extras().containsKey("held")) {
      text.append(racer.name()).append(": ").append(held(racer.extras())).append('\n');
    } else if (racer.extras().containsKey(HeldRunner.CONNECTIONS)) {
      text.append(racer.name()).append(": ").append(connections(racer)).append('\n');
    }
    if (racer.extras().containsKey(ProcessRunner.SHARE + 1)) {
      text.append(racer.name()).append(": ").append(shares(racer)).append('\n');
    }
    for (String fault : racer.faults()) {
      text.append(ink.bad("BROKEN  " + racer.name() + ": " + fault)).append('\n');
    }
  }

  private static String connections(Figures racer) {
    double number = racer.extras().getOrDefault(HeldRunner.CONNECTIONS, 0.0);
    return Units.count(number) + (number == 1 ? " connection" : " connections");
  }

  private static String shares(Figures racer) {
    String parts =
        racer.extras().entrySet().stream()
            .filter(extra -> extra.getKey().startsWith(ProcessRunner.SHARE))
            .map(extra -> Units.percent(extra.getValue()))
            .collect(Collectors.joining(", "));
    return "shares of the processes %s; longest wait of any %s"
        .formatted(parts, Units.nanos(racer.longest()));
  }

  private static String held(Map<String, Double> extras) {
    double connections = extras.getOrDefault(HeldRunner.CONNECTIONS, 0.0);
    String threads =
        Units.count(extras.getOrDefault(HeldRunner.THREADS, 0.0))
            + " threads in the process"
            + (connections == 0 ? "" : ", " + Units.count(connections) + " connections");
    return extras.getOrDefault("held", 0.0) == 0
        ? threads
        : "%s, taken at %s/s, %s still held at the end, %s bytes of heap each"
            .formatted(
                threads,
                Units.count(extras.getOrDefault("takenPerSecond", 0.0)),
                Units.count(extras.getOrDefault("stillHeld", 0.0)),
                Units.count(extras.getOrDefault("heapBytesPerHold", 0.0)));
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
