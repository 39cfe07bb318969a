package io.holdfast.rig.checks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Finds the highest value recorded before an instant, in logarithmic time. Most rules about order
 * are such a question.
 */
final class HighestBefore<T> {
  private final List<T> byInstant;
  private final ToLongFunction<T> instant;
  private final List<T> highestSoFar = new ArrayList<>();

  HighestBefore(Collection<T> things, ToLongFunction<T> instant, ToLongFunction<T> height) {
    this.byInstant = things.stream().sorted(Comparator.comparingLong(instant)).toList();
    this.instant = instant;
    for (T thing : byInstant) {
      T last = highestSoFar.isEmpty() ? thing : highestSoFar.get(highestSoFar.size() - 1);
      boolean higher = height.applyAsLong(thing) > height.applyAsLong(last);
      highestSoFar.add(higher ? thing : last);
    }
  }

  /** Strictly before. */
  Optional<T> before(long limit) {
    int low = 0;
    int high = byInstant.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (instant.applyAsLong(byInstant.get(middle)) < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? Optional.empty() : Optional.of(highestSoFar.get(low - 1));
  }
}
