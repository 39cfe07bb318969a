package io.holdfast.ids.internal;

import io.holdfast.ids.Supply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The status of the last call of a generator that asks its store for every id. */
final class LastCallStatus {

  private volatile @Nullable RuntimeException failure;

  /** Makes the call and records whether it succeeded. */
  long of(LongSupplier call) {
    try {
      long id = call.getAsLong();
      if (failure != null) {
        failure = null;
      }
      return id;
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  /** Reports up, unless the last call failed. */
  Supply supply(String what) {
    RuntimeException last = failure;
    return last == null
        ? SupplyStates.up(what + ", one by one")
        : new Supply(
            Supply.Status.DOWN,
            "the last call of " + what + " failed",
            Optional.of(Duration.ZERO),
            List.of(String.valueOf(last.getMessage())));
  }
}
