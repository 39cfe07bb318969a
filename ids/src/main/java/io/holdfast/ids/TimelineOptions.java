package io.holdfast.ids;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How time-ordered ids are made. Immutable; each {@code with…} answers a changed copy.
 *
 * @param layout how the bits are used
 * @param window how much time is reserved ahead in the store, 1 s to 1 h. It is renewed three times
 *     in a window, so two thirds of it at least are left for ids when the store goes away. And so
 *     far must a clock be behind at a start before its worker number is passed over
 * @param tolerance how far the clock may go back while ids go on, 0 to 10 s
 * @param patience how long a caller waits for the store when there is nothing left
 * @param worker a worker number to lease, and no other; empty for any that is free
 * @param workerWait how long opening waits for a worker number when all are taken, 0 to 1 h; 0
 *     fails at once
 */
public record TimelineOptions(
    Layout layout,
    Duration window,
    Duration tolerance,
    Duration patience,
    OptionalInt worker,
    Duration workerWait) {

  /**
   * The standard layout, 10 s ahead, 1 s back, 2 s of patience, any worker number, no waiting for
   * one.
   */
  public static final TimelineOptions DEFAULTS =
      new TimelineOptions(
          Layout.STANDARD,
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          OptionalInt.empty(),
          Duration.ZERO);

  public TimelineOptions {
    Times.require("window", window, Duration.ofSeconds(1), Duration.ofHours(1));
    Times.require("tolerance", tolerance, Duration.ZERO, Duration.ofSeconds(10));
    Times.require("patience", patience, Duration.ofMillis(1), Duration.ofHours(1));
    Times.require("workerWait", workerWait, Duration.ZERO, Duration.ofHours(1));
    if (worker.isPresent() && (worker.getAsInt() < 0 || worker.getAsInt() >= layout.workers())) {
      throw new IllegalArgumentException(
          "worker must be 0.."
              + (layout.workers() - 1)
              + " in this layout: worker="
              + worker.getAsInt());
    }
  }

  /** With another layout. */
  public TimelineOptions withLayout(Layout value) {
    return new TimelineOptions(value, window, tolerance, patience, worker, workerWait);
  }

  /** With more or less time reserved ahead. */
  public TimelineOptions withWindow(Duration value) {
    return new TimelineOptions(layout, value, tolerance, patience, worker, workerWait);
  }

  /** With another tolerance of steps back. */
  public TimelineOptions withTolerance(Duration value) {
    return new TimelineOptions(layout, window, value, patience, worker, workerWait);
  }

  /** With another patience. */
  public TimelineOptions withPatience(Duration value) {
    return new TimelineOptions(layout, window, tolerance, value, worker, workerWait);
  }

  /** With this worker number and no other; it is leased all the same. */
  public TimelineOptions withWorker(int value) {
    return new TimelineOptions(
        layout, window, tolerance, patience, OptionalInt.of(value), workerWait);
  }

  /**
   * Waiting so long for a worker number when it is opened, instead of failing at once when all are
   * taken: for instance until the numbers of programs that have died are free, which takes a lease.
   */
  public TimelineOptions withWorkerWait(Duration value) {
    return new TimelineOptions(layout, window, tolerance, patience, worker, value);
  }
}
