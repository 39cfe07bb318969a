package io.holdfast.ids;

import io.holdfast.ids.internal.DurationChecks;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The options of time-ordered ids.
 *
 * <p>Immutable; each {@code with…} method returns a changed copy.
 *
 * @param layout the bit layout
 * @param window how much time is reserved ahead in the store, 1 s to 1 h. It is extended three
 *     times in a window, so at least two thirds of it are left when the store becomes unreachable.
 *     A worker number is skipped at the start if the clock is behind its reserved time by more than
 *     this
 * @param tolerance how far the clock may go back before ids stop, 0 to 10 s
 * @param patience how long a caller waits for the store if no reserved time is left
 * @param worker the only worker number to lease; empty for any free number
 * @param workerWait how long opening waits for a worker number if all are taken, 0 to 1 h; 0 fails
 *     at once
 */
public record TimelineOptions(
    IdLayout layout,
    Duration window,
    Duration tolerance,
    Duration patience,
    OptionalInt worker,
    Duration workerWait) {

  /**
   * The standard layout, 10 s ahead, 1 s back, 2 s of patience, any worker number, no wait for a
   * worker number.
   */
  public static final TimelineOptions DEFAULTS =
      new TimelineOptions(
          IdLayout.STANDARD,
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          OptionalInt.empty(),
          Duration.ZERO);

  public TimelineOptions {
    DurationChecks.require("window", window, Duration.ofSeconds(1), Duration.ofHours(1));
    DurationChecks.require("tolerance", tolerance, Duration.ZERO, Duration.ofSeconds(10));
    DurationChecks.require("patience", patience, Duration.ofMillis(1), Duration.ofHours(1));
    DurationChecks.require("workerWait", workerWait, Duration.ZERO, Duration.ofHours(1));
    if (worker.isPresent() && (worker.getAsInt() < 0 || worker.getAsInt() >= layout.workers())) {
      throw new IllegalArgumentException(
          "worker must be 0.."
              + (layout.workers() - 1)
              + " in this layout: worker="
              + worker.getAsInt());
    }
  }

  /** Returns a copy with this layout. */
  public TimelineOptions withLayout(IdLayout value) {
    return new TimelineOptions(value, window, tolerance, patience, worker, workerWait);
  }

  /** Returns a copy that reserves this much time ahead. */
  public TimelineOptions withWindow(Duration value) {
    return new TimelineOptions(layout, value, tolerance, patience, worker, workerWait);
  }

  /** Returns a copy with this tolerance of backward clock steps. */
  public TimelineOptions withTolerance(Duration value) {
    return new TimelineOptions(layout, window, value, patience, worker, workerWait);
  }

  /** Returns a copy with this patience. */
  public TimelineOptions withPatience(Duration value) {
    return new TimelineOptions(layout, window, tolerance, value, worker, workerWait);
  }

  /** Returns a copy that leases this worker number and no other. */
  public TimelineOptions withWorker(int value) {
    return new TimelineOptions(
        layout, window, tolerance, patience, OptionalInt.of(value), workerWait);
  }

  /**
   * Returns a copy that waits this long for a worker number if all are taken, instead of failing at
   * once. One lease is enough for the numbers of programs that have died.
   */
  public TimelineOptions withWorkerWait(Duration value) {
    return new TimelineOptions(layout, window, tolerance, patience, worker, value);
  }
}
