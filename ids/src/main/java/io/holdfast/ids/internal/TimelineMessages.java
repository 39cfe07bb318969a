package io.holdfast.ids.internal;

import io.holdfast.ids.ClockRegressionException;
import io.holdfast.ids.IdLayout;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.Supply;
import io.holdfast.ids.TimelineOptions;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The messages of time-ordered ids: why there are none, for which name, what to do. */
record TimelineMessages(String name, TimelineOptions options) {

  IdsUnavailableException closed() {
    return new IdsUnavailableException("the generator of ids \"" + name + "\" is closed", null);
  }

  IdsUnavailableException ended() {
    return new IdsUnavailableException(
        "the layout of the ids \"" + name + "\" ended at " + options.layout().end(), null);
  }

  IdsUnavailableException interrupted(InterruptedException cause) {
    return new IdsUnavailableException("interrupted while waiting for ids \"" + name + "\"", cause);
  }

  IdsUnavailableException workerWaitOver(IdsUnavailableException last) {
    return new IdsUnavailableException(
        "no worker number within "
            + DurationText.of(options.workerWait())
            + ": "
            + last.getMessage(),
        last);
  }

  IdsUnavailableException nothingLeft(
      @Nullable WorkerLease held, @Nullable RuntimeException cause) {
    String why =
        held == null || !held.isHeld()
            ? "the worker number is lost, and no other is leased yet"
            : "the reserved time is used up, and the store reserves no more";
    return new IdsUnavailableException("no ids for \"" + name + "\": " + why, cause);
  }

  ClockRegressionException wentBack(long ticksBehind) {
    return regression(
        ticksBehind, "went back by more than " + DurationText.of(options.tolerance()));
  }

  ClockRegressionException standsStill(long ticksBehind) {
    return regression(ticksBehind, "stands still");
  }

  private ClockRegressionException regression(long ticksBehind, String what) {
    Duration behind = options.layout().tick().multipliedBy(ticksBehind);
    return new ClockRegressionException(
        "the clock "
            + what
            + " and is "
            + behind.toMillis()
            + " ms behind the last id of \""
            + name
            + "\": no ids until it has caught up; correct the clock",
        behind);
  }

  IllegalArgumentException endsSoon() {
    return new IllegalArgumentException(
        "the layout of the ids \""
            + name
            + "\" ends at "
            + options.layout().end()
            + ", in less than five years: use more time bits, a longer tick or a later epoch: "
            + options.layout());
  }

  String started(String detail) {
    IdLayout layout = options.layout();
    return detail
        + ": the layout lasts until "
        + layout.end()
        + ", "
        + layout.idsASecond()
        + " ids per second";
  }

  String endsIn() {
    return "the layout of the ids \"" + name + "\" ends at " + options.layout().end();
  }

  Supply down(String why) {
    return new Supply(
        Supply.Status.DOWN,
        "no ids for \"" + name + "\": " + why,
        Optional.of(Duration.ZERO),
        List.of());
  }
}
