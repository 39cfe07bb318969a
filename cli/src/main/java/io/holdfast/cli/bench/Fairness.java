package io.holdfast.cli.bench;

import java.util.List;

/**
 * How evenly the callers got in.
 *
 * @param leastToMost the smallest share as a part of the largest: 1 when all got the same
 * @param jain Jain's index: 1 when all got the same, 1/n when one of n got everything
 */
public record Fairness(double leastToMost, double jain) {

  private static final Fairness EVEN = new Fairness(1, 1);

  /** Of shares; nobody, or only empty ones, are even. */
  static Fairness of(List<Long> shares) {
    double sum = 0;
    double squares = 0;
    long least = Long.MAX_VALUE;
    long most = 0;
    for (long share : shares) {
      sum += share;
      squares += (double) share * share;
      least = Math.min(least, share);
      most = Math.max(most, share);
    }
    return most == 0
        ? EVEN
        : new Fairness((double) least / most, sum * sum / (shares.size() * squares));
  }
}
