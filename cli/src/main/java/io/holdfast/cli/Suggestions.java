package io.holdfast.cli;

import java.util.List;

/** Finds the words that a mistyped word may stand for. */
final class Suggestions {

  private Suggestions() {}

  /** Returns the candidates that start with the word, or differ in one or two letters. */
  static List<String> to(String typed, List<String> known) {
    int most = typed.length() > 4 ? 2 : 1;
    return known.stream()
        .filter(word -> word.startsWith(typed) || distance(typed, word) <= most)
        .toList();
  }

  /** How many such changes it takes; two neighbours that are exchanged are one. */
  private static int distance(String one, String other) {
    int[][] steps = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int least = Math.min(steps[i - 1][j], steps[i][j - 1]) + 1;
        least = Math.min(least, steps[i - 1][j - 1] + (same ? 0 : 1));
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          least = Math.min(least, steps[i - 2][j - 2] + 1);
        }
        steps[i][j] = least;
      }
    }
    return steps[one.length()][other.length()];
  }
}
