package io.holdfast.memory;

import java.util.Comparator;

/** Orders names by their bytes in UTF-8, without encoding them. */
final class NameOrder implements Comparator<String> {

  static final NameOrder BY_BYTES = new NameOrder();

  private NameOrder() {}

  @Override
  public int compare(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        return rank(a) - rank(b);
      }
    }
    return left.length() - right.length();
  }

  /** Surrogates encode the highest code points, but are not the highest chars. */
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + Character.MAX_VALUE : c;
  }
}
