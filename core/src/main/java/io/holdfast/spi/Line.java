package io.holdfast.spi;

import java.util.List;

/**
 * The one rule of all primitives: who of a line is in, and whom the others watch.
 *
 * <p>A line is the weights of its tickets in order. A ticket is in if and only if its weight plus
 * everything ahead of it fits into the capacity, so those that are in are always a prefix.
 */
public final class Line {

  /** Stands for "any change of the line" as the answer of {@link #watch}. */
  public static final int WHOLE_LINE = -1;

  private Line() {}

  /** How many tickets from the front are in. */
  public static int in(int capacity, List<Integer> weights) {
    long taken = 0;
    for (int i = 0; i < weights.size(); i++) {
      taken += weights.get(i);
      if (taken > capacity) {
        return i;
      }
    }
    return weights.size();
  }

  /** Whether the ticket at this index is in. */
  public static boolean isIn(int capacity, List<Integer> weights, int index) {
    return index < in(capacity, weights);
  }

  /**
   * Whose departure a ticket that is not in must see before it can get in: the index of one ahead
   * of it, or {@link #WHOLE_LINE}.
   *
   * <p>A ticket that takes everything needs an empty line before it, so the one just ahead must go
   * in any case. Another one needs all that take everything to go; the last of them is the one that
   * stays longest. Where no one ahead takes everything, any departure may make room.
   */
  public static int watch(int capacity, List<Integer> weights, int index) {
    if (index < 1) {
      throw new IllegalArgumentException("the first of a line watches nobody: index=" + index);
    }
    if (weights.get(index) >= capacity) {
      return index - 1;
    }
    for (int i = index - 1; i >= 0; i--) {
      if (weights.get(i) >= capacity) {
        return i;
      }
    }
    return WHOLE_LINE;
  }
}
