package io.holdfast.cli.bench;

import java.util.List;
import java.util.stream.IntStream;

/** The order of rounds: all entries warm up, then alternate: A B A B …. So noise hits all alike. */
final class RoundSchedule {

  /**
   * One round of one entry.
   *
   * @param round 0 to warm up
   */
  record Turn(int entry, int round) {

    boolean isWarmUp() {
      return round == 0;
    }
  }

  private RoundSchedule() {}

  static List<Turn> alternating(int entries, int rounds) {
    return IntStream.rangeClosed(0, rounds)
        .boxed()
        .flatMap(round -> IntStream.range(0, entries).mapToObj(entry -> new Turn(entry, round)))
        .toList();
  }
}
