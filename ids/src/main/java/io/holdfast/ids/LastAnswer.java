package io.holdfast.ids;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How the last call went of a generator that asks its store for every id. Any thread. */
final class LastAnswer {

  private volatile @Nullable RuntimeException failure;

  /** Makes the call, and remembers whether there was an answer. */
  long of(LongSupplier call) {
    try {
      long answer = call.getAsLong();
      if (failure != null) {
        failure = null;
      }
      return answer;
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  /** Up, unless the last call failed. */
  Supply supply(String what) {
    RuntimeException last = failure;
    return last == null
        ? Supply.up(what + ", one by one")
        : new Supply(
            Supply.Status.DOWN,
            "the last call of " + what + " failed",
            Optional.of(Duration.ZERO),
            List.of(String.valueOf(last.getMessage())));
  }
}
