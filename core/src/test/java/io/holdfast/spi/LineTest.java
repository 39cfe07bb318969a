package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every line of up to seven tickets with capacities of up to four. */
class LineTest {

  private static final int LONGEST = 7;
  private static final int LARGEST = 4;

  private interface Check {
    void accept(int capacity, List<Integer> weights);
  }

  private static int forEveryLine(Check check) {
    int lines = 0;
    for (int capacity = 1; capacity <= LARGEST; capacity++) {
      for (int length = 0; length <= LONGEST; length++) {
        int count = (int) Math.pow(capacity, length);
        for (int number = 0; number < count; number++) {
          check.accept(capacity, weights(number, length, capacity));
          lines++;
        }
      }
    }
    return lines;
  }

  /** The line with this number: its digits to the base of the capacity, plus one each. */
  private static List<Integer> weights(int number, int length, int capacity) {
    List<Integer> weights = new ArrayList<>();
    int rest = number;
    for (int i = 0; i < length; i++) {
      weights.add(rest % capacity + 1);
      rest /= capacity;
    }
    return weights;
  }

  /** The definition: its own weight and everything ahead that has not gone fit together. */
  private static boolean fits(int capacity, List<Integer> weights, int index, int gone) {
    int sum = 0;
    for (int i = 0; i <= index; i++) {
      if ((gone & (1 << i)) == 0) {
        sum += weights.get(i);
      }
    }
    return sum <= capacity;
  }

  private static String show(int capacity, List<Integer> weights, int index) {
    return "ticket " + index + " of " + weights + " in " + capacity;
  }

  @Test
  void aTicketIsInExactlyWhenItAndEverythingAheadFits() {
    int lines =
        forEveryLine(
            (capacity, weights) -> {
              for (int i = 0; i < weights.size(); i++) {
                if (Line.isIn(capacity, weights, i) != fits(capacity, weights, i, 0)) {
                  throw new AssertionError(show(capacity, weights, i));
                }
              }
            });
    assertThat(lines).isGreaterThan(20_000);
  }

  @Test
  void grantedTicketsAreTheCountedPrefix() {
    forEveryLine(
        (capacity, weights) -> {
          int in = Line.in(capacity, weights);
          for (int i = 0; i < weights.size(); i++) {
            if (fits(capacity, weights, i, 0) != i < in) {
              throw new AssertionError(show(capacity, weights, i));
            }
          }
        });
  }

  @Test
  void noOneGetsInBeforeTheOneItWatchesHasGone() {
    forEveryWaiter(
        (capacity, weights, waiter) -> {
          int watched = Line.watch(capacity, weights, waiter);
          for (int gone = 1; gone < 1 << waiter; gone++) {
            boolean seen = watched == Line.WHOLE_LINE || (gone & (1 << watched)) != 0;
            if (!seen && fits(capacity, weights, waiter, gone)) {
              throw new AssertionError(show(capacity, weights, waiter) + " watches " + watched);
            }
          }
        });
  }

  @Test
  void noTicketWatchesAnotherWhoseDepartureCannotLetItIn() {
    forEveryWaiter(
        (capacity, weights, waiter) -> {
          int watched = Line.watch(capacity, weights, waiter);
          if (watched == Line.WHOLE_LINE) {
            return;
          }
          boolean matters = false;
          for (int gone = 0; gone < 1 << waiter; gone++) {
            matters |=
                !fits(capacity, weights, waiter, gone & ~(1 << watched))
                    && fits(capacity, weights, waiter, gone | (1 << watched));
          }
          if (watched >= waiter || !matters) {
            throw new AssertionError(show(capacity, weights, waiter) + " watches " + watched);
          }
        });
  }

  @Test
  void theWholeLineIsWatchedOnlyWhereNoTicketTakesEverything() {
    forEveryWaiter(
        (capacity, weights, waiter) -> {
          boolean whole = Line.watch(capacity, weights, waiter) == Line.WHOLE_LINE;
          boolean all = weights.subList(0, waiter + 1).contains(capacity);
          if (whole == all) {
            throw new AssertionError(show(capacity, weights, waiter));
          }
        });
  }

  @Test
  void aMutexWaiterWatchesTheOneJustAhead() {
    assertThat(Line.watch(1, List.of(1, 1, 1, 1), 3)).isEqualTo(2);
  }

  @Test
  void aReaderWatchesTheLastWriterAhead() {
    int all = Shape.READ_WRITE_CAPACITY;
    assertThat(Line.watch(all, List.of(1, all, 1, all, 1, 1), 5)).isEqualTo(3);
  }

  @Test
  void theFirstTicketOfALineWatchesNoOther() {
    assertThatThrownBy(() -> Line.watch(1, List.of(1), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index=0");
  }

  @Test
  void sumsBeyondAnIntDoNotWrapAround() {
    List<Integer> heavy = List.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 2);
    assertThat(Line.in(Integer.MAX_VALUE, heavy)).isEqualTo(1);
  }

  private interface WaiterCheck {
    void accept(int capacity, List<Integer> weights, int waiter);
  }

  private static void forEveryWaiter(WaiterCheck check) {
    int lines =
        forEveryLine(
            (capacity, weights) -> {
              for (int i = Line.in(capacity, weights); i < weights.size(); i++) {
                check.accept(capacity, weights, i);
              }
            });
    assertThat(lines).isGreaterThan(20_000);
  }
}
