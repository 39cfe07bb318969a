package io.holdfast.ids;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is said of time-ordered ids: why there are none, of which name, and what to do. */
record TimelineTrouble(String name, TimelineOptions options) {

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

  IdsUnavailableException waitedInVain(IdsUnavailableException last) {
    return new IdsUnavailableException(
        "waited " + options.workerWait().toMillis() + " ms in vain: " + last.getMessage(), last);
  }

  IdsUnavailableException nothingLeft(@Nullable Seat held, @Nullable RuntimeException cause) {
    String why =
        held == null || !held.isHeld()
            ? "the worker number is lost, and there is no other yet"
            : "the reserved time is used up, and the store gives no more";
    return new IdsUnavailableException("no ids for \"" + name + "\": " + why, cause);
  }

  ClockRegressionException wentBack(long ticksBehind) {
    return regression(ticksBehind, "went back by more than " + options.tolerance());
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
            + "\": no ids are made until it has caught up; set it right",
        behind);
  }

  IllegalArgumentException endsSoon() {
    return new IllegalArgumentException(
        "the layout of the ids \""
            + name
            + "\" ends at "
            + options.layout().end()
            + ", in less than five years: give it more time bits, a longer tick or a later epoch: "
            + options.layout());
  }

  String started(String detail) {
    Layout layout = options.layout();
    return detail
        + ": the layout lasts until "
        + layout.end()
        + ", "
        + layout.idsASecond()
        + " ids a second";
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
