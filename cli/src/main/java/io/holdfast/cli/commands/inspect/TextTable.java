package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.Colours.Ink;
import io.holdfast.cli.Screen;
import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as necessary; the last column may be cut. */
final class TextTable {

  private static final String GAP = "  ";

  private final List<String> head;
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... head) {
    this.head = List.of(head);
  }

  void add(String... cells) {
    if (cells.length != head.size()) {
      throw new IllegalArgumentException("a row has " + head.size() + " cells: " + cells.length);
    }
    rows.add(List.of(cells));
  }

  /**
   * The lines, the head first.
   *
   * @param width how long a line may be on a terminal; 0 for no limit
   */
  List<String> lines(Screen screen, int width) {
    int[] widths = new int[head.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = widest(i);
    }
    List<String> lines = new ArrayList<>();
    lines.add(screen.paint(Ink.FAINT, cut(line(head, widths), width)));
    rows.forEach(row -> lines.add(cut(line(row, widths), width)));
    return lines;
  }

  private int widest(int column) {
    int widest = head.get(column).length();
    for (List<String> row : rows) {
      widest = Math.max(widest, row.get(column).length());
    }
    return widest;
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      line.append(i == 0 ? "" : GAP).append(cell);
      line.append(" ".repeat(widths[i] - cell.length()));
    }
    return line.toString().stripTrailing();
  }

  private static String cut(String line, int width) {
    return width > 0 && line.length() > width ? line.substring(0, width - 1) + "…" : line;
  }
}
