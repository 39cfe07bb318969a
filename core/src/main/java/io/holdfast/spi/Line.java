package io.holdfast.spi;

import java.util.List;

/**
 * Decides which tickets of a line are granted, and which tickets the others watch.
 *
 * <p>A line is the weights of its tickets in order. A ticket is granted if and only if its weight
 * plus everything ahead of it fits into the capacity, so the granted tickets are always a prefix.
 */
public final class Line {

  /** Stands for "any change of the line" as the result of {@link #watch}. */
  public static final int WHOLE_LINE = -1;

  private Line() {}

  /** Returns how many tickets from the front are granted. */
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

  /** Returns whether the ticket at this index is granted. */
  public static boolean isIn(int capacity, List<Integer> weights, int index) {
    return index < in(capacity, weights);
  }

  /**
   * Returns whose departure a waiting ticket must see before it can be granted: the index of a
   * ticket ahead of it, or {@link #WHOLE_LINE}.
   *
   * <p>A ticket that takes everything needs an empty line before it, so the one just ahead must go
   * in any case. Any other ticket needs all tickets that take everything to go; the last of them
   * stays longest. Where no ticket ahead takes everything, any departure may make room.
   */
  public static int watch(int capacity, List<Integer> weights, int index) {
    if (index < 1) {
      throw new IllegalArgumentException(
          "the first ticket of a line watches no other ticket: index=" + index);
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
