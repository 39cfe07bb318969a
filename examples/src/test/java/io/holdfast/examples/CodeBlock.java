package io.holdfast.examples;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A piece of Java in a page of documentation.
 *
 * @param place the page and the line on which it begins
 */
record CodeBlock(String place, List<String> lines) {

  private static final String FENCE = "```";

  /** All of a page; its lines are normalized. */
  static List<CodeBlock> in(String page, List<String> text) {
    List<CodeBlock> blocks = new ArrayList<>();
    for (int i = 0; i < text.size(); i++) {
      if (text.get(i).startsWith(FENCE)) {
        int end = i + 1;
        while (end < text.size() && !text.get(end).startsWith(FENCE)) {
          end++;
        }
        if (isJava(text.get(i))) {
          blocks.add(new CodeBlock(page + ":" + (i + 1), trimmed(text.subList(i + 1, end))));
        }
        i = end;
      }
    }
    return blocks;
  }

  private static boolean isJava(String opening) {
    return opening.equals(FENCE + "java") || opening.startsWith(FENCE + "java ");
  }

  private static List<String> trimmed(List<String> lines) {
    int from = 0;
    int to = lines.size();
    while (from < to && lines.get(from).isEmpty()) {
      from++;
    }
    while (to > from && lines.get(to - 1).isEmpty()) {
      to--;
    }
    return List.copyOf(lines.subList(from, to));
  }

  /** Empty if the block stands somewhere in the sources, else where it comes closest. */
  String difference(Map<Path, List<String>> sources) {
    int best = -1;
    String closest = "there are no sources";
    for (Map.Entry<Path, List<String>> source : sources.entrySet()) {
      List<String> text = source.getValue();
      for (int start = 0; start < text.size(); start++) {
        int same = sameLines(text, start);
        if (same == lines.size()) {
          return "";
        }
        if (same > best) {
          best = same;
          closest = closest(source.getKey(), text, start + same, lines.get(same));
        }
      }
    }
    return place + " is not in the examples; " + best + " lines match, then " + closest;
  }

  private int sameLines(List<String> text, int start) {
    int same = 0;
    while (same < lines.size()
        && start + same < text.size()
        && lines.get(same).equals(text.get(start + same))) {
      same++;
    }
    return same;
  }

  private static String closest(Path file, List<String> text, int at, String wanted) {
    String found = at < text.size() ? text.get(at) : "(end of file)";
    return "the page has\n  %s\nand %s:%d has\n  %s"
        .formatted(wanted, file.getFileName(), at + 1, found);
  }
}
