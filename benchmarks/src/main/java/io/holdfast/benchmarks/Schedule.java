package io.holdfast.benchmarks;

import java.util.List;
import java.util.stream.IntStream;

/** Whose turn it is: everybody once to warm up, then A B A B …, so that noise hits all alike. */
final class Schedule {

  /**
   * One round of one racer.
   *
   * @param round 0 to warm up
   */
  record Turn(int racer, int round) {

    boolean isWarmUp() {
      return round == 0;
    }
  }

  private Schedule() {}

  static List<Turn> alternating(int racers, int rounds) {
    return IntStream.rangeClosed(0, rounds)
        .boxed()
        .flatMap(round -> IntStream.range(0, racers).mapToObj(racer -> new Turn(racer, round)))
        .toList();
  }
}
