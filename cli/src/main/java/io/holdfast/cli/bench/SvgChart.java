package io.holdfast.cli.bench;

import java.util.List;
import java.util.Locale;

/**
 * Rows as bars: one group for each row, scaled to its fastest entry. All colours are of middle
 * brightness, so that the chart can be read on light and on dark pages alike.
 */
public final class SvgChart {

  private static final int EDGE = 24;
  private static final int CHARACTER = 7;
  private static final int GAP = 10;
  private static final int BAR_WIDTH = 400;
  private static final int VALUE_WIDTH = 300;
  private static final int BAR = 18;
  private static final int STEP = 30;
  private static final int GROUP_HEAD = 34;
  private static final int GROUP_GAP = 22;
  private static final int TOP = 82;

  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #6f7b87; }
        .title { font-size: 17px; font-weight: 600; }
        .heading { font-size: 14px; font-weight: 600; }
        .value { font-weight: 600; }
        .axis { stroke: #8c959f; stroke-opacity: .6; }
        .holdfast { fill: #3b8bd0; }
        .peer { fill: #a3acb5; }
        .spread { stroke: #5f6b77; stroke-width: 1.5; }
      </style>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final int left;
  private int y = TOP;

  private SvgChart(List<RaceResult> rows) {
    int longest =
        rows.stream()
            .flatMap(row -> row.figures().stream())
            .mapToInt(entry -> label(entry).length())
            .max()
            .orElse(0);
    left = EDGE + CHARACTER * longest + GAP;
  }

  /** The chart as a whole file. */
  public static String of(List<RaceResult> rows) {
    SvgChart chart = new SvgChart(rows);
    rows.forEach(chart::group);
    return chart.finished();
  }

  private void group(RaceResult row) {
    double most = row.figures().stream().mapToDouble(Figures::fastest).max().orElse(0);
    add("<text class='heading' x='%d' y='%d'>%s</text>", EDGE, y + 14, escaped(row.heading()));
    y += GROUP_HEAD;
    int top = y - GAP / 2;
    for (Figures entry : row.figures()) {
      bar(entry, most == 0 ? 0 : BAR_WIDTH / most);
      y += STEP;
    }
    int bottom = y - STEP + BAR + GAP / 2;
    add("<line class='axis' x1='%d' y1='%d' x2='%d' y2='%d'/>", left, top, left, bottom);
    y += GROUP_GAP;
  }

  private void bar(Figures entry, double scale) {
    double width = Math.max(1, entry.opsPerSecond() * scale);
    double slowest = left + entry.slowest() * scale;
    double fastest = left + entry.fastest() * scale;
    int middle = y + BAR / 2;
    int base = middle + 5;
    add("<text x='%d' y='%d' text-anchor='end'>%s</text>", left - GAP, base, escaped(label(entry)));
    add(
        "<rect class='%s' x='%d' y='%d' width='%.1f' height='%d' rx='2'/>",
        entry.name().startsWith(HoldfastContender.NAME) ? "holdfast" : "peer", left, y, width, BAR);
    add(
        "<line class='spread' x1='%.1f' y1='%d' x2='%.1f' y2='%d'/>",
        slowest, middle, fastest, middle);
    add(
        "<text x='%.1f' y='%d'><tspan class='value'>%s/s</tspan><tspan dx='8'>%s</tspan></text>",
        Math.max(left + width, fastest) + GAP,
        base,
        Units.count(entry.opsPerSecond()),
        escaped(remark(entry)));
  }

  private static String label(Figures entry) {
    return entry.name() + (entry.floor() ? " (floor)" : "");
  }

  private static String remark(Figures entry) {
    return entry.faults().isEmpty()
        ? "p99 %s, longest %s".formatted(Units.nanos(entry.p99()), Units.nanos(entry.longest()))
        : "BROKEN";
  }

  private String finished() {
    int width = left + BAR_WIDTH + VALUE_WIDTH;
    return """
        <svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' role='img'>
        <title>Locks acquired and released per second</title>
        %s<text class='title' x='%d' y='34'>Locks acquired and released per second</text>
        <text x='%d' y='56'>Bar: median of the rounds. Line: from the slowest to the fastest round.</text>
        %s</svg>
        """
        .formatted(width, y, width, y, STYLE, EDGE, EDGE, svg);
  }

  private void add(String element, Object... values) {
    svg.append(String.format(Locale.ROOT, element, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
