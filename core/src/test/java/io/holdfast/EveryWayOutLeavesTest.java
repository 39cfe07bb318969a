package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * U04. However an acquire ends without a hold, nothing of it stays in the store.
 *
 * <p>Every way out is tried at every step of an acquire, one run for each, on one thread.
 */
class EveryWayOutLeavesTest {

  /** What happens to the verbs meanwhile. */
  private enum Weather {
    FREE,
    HELD,
    HELD_THEN_FREE,
    ANSWERS_LOST,
    REQUESTS_LOST,
    HELD_AND_ANSWERS_LOST
  }

  /** How it ends. */
  private enum WayOut {
    CANCEL,
    TIMEOUT,
    CLOSE,
    COMPLETED_BY_THE_USER
  }

  static Stream<Arguments> all() {
    return Stream.of(Primitive.values())
        .flatMap(
            primitive ->
                Stream.of(Weather.values())
                    .flatMap(
                        weather ->
                            Stream.of(WayOut.values())
                                .map(way -> Arguments.of(primitive, weather, way))));
  }

  @ParameterizedTest
  @MethodSource("all")
  void u04WhateverStepItIsAtTheAcquireLeavesNothing(
      Primitive primitive, Weather weather, WayOut way) throws Exception {
    int steps = 0;
    while (ranToStep(primitive, weather, way, steps)) {
      steps++;
    }
    assertThat(steps).isBetween(2, 30);
  }

  /**
   * Runs an acquire that ends early after this many steps; returns false when it had ended before.
   */
  private static boolean ranToStep(Primitive primitive, Weather weather, WayOut way, int steps)
      throws Exception {
    WayOutScene scene = new WayOutScene(primitive);
    if (weather.name().startsWith("HELD")) {
      scene.rivalTakes();
    }
    scene.ask();
    boolean further = true;
    for (int i = 0; i < steps && further; i++) {
      further = weatherStep(scene, weather, i);
    }
    goOut(scene, way);
    String when = primitive + " " + weather + " " + way + " after " + steps + " steps";
    if (scene.asked.isDone() && !scene.asked.isCompletedExceptionally()) {
      if (scene.asked.get() instanceof HoldHandle got) {
        got.holdState().release(outcome -> {});
      }
    }
    scene.assertNothingIsLeft(when);
    return further && steps < 30;
  }

  private static boolean weatherStep(WayOutScene scene, Weather weather, int step) {
    boolean lossy = weather == Weather.ANSWERS_LOST || weather == Weather.HELD_AND_ANSWERS_LOST;
    if (weather == Weather.REQUESTS_LOST && scene.lane.hasQueued() && step < 4) {
      scene.lane.loseRequest();
    } else if (lossy && scene.lane.hasAnswers() && step < 6) {
      scene.lane.loseAnswer();
    } else if (weather == Weather.HELD_THEN_FREE && step == 4) {
      scene.rivals.release();
      scene.rivals = null;
    } else if (!scene.step()) {
      if (scene.asked.isDone() || step > 12) {
        return false;
      }
      scene.world.advanceMillis(150);
    }
    return true;
  }

  private static void goOut(WayOutScene scene, WayOut way) {
    switch (way) {
      case CANCEL -> scene.asked.cancel(true);
      case TIMEOUT -> scene.world.advance(WayOutScene.WAIT);
      case CLOSE -> close(scene);
      case COMPLETED_BY_THE_USER -> scene.asked.complete(null);
    }
  }

  /** Closing waits for leaves: this thread executes them meanwhile. */
  private static void close(WayOutScene scene) {
    var closing =
        Caller.start(
            () -> {
              scene.client.close(Duration.ZERO);
              return null;
            });
    while (!closing.isDone()) {
      scene.world.awaitParkedOrDone(closing.thread());
      if (!closing.isDone() && !scene.step()) {
        scene.world.advanceMillis(10);
      }
    }
    closing.join();
  }
}
