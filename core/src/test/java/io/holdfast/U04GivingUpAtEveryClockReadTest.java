package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * U04. An acquire that another thread cancels at each of its clock readings.
 *
 * <p>The runtime and the store read the clock all the time, so each reading is a point where
 * another thread may interfere. An acquire is run once for each of them, and the other thread runs
 * until it has ended or waits for a lock of the first.
 */
@Timeout(120)
class U04GivingUpAtEveryClockReadTest {

  /** What the acquire meets. */
  private enum Fate {
    FREE,
    HELD,
    LOST
  }

  static Stream<Arguments> all() {
    return Stream.of(Primitive.values())
        .flatMap(primitive -> Stream.of(Fate.values()).map(fate -> Arguments.of(primitive, fate)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void whereverAnotherThreadCancelsNothingIsLeft(Primitive primitive, Fate fate) throws Exception {
    int readings = 0;
    while (ranToReading(primitive, fate, ++readings)) {}
    assertThat(readings).isGreaterThan(3);
  }

  private static boolean ranToReading(Primitive primitive, Fate fate, int reading)
      throws Exception {
    WayOutScene scene = new WayOutScene(primitive);
    if (fate == Fate.HELD) {
      scene.rivalTakes();
    }
    scene.ask();
    if (fate == Fate.LOST) {
      scene.lane.loseRequest();
    }
    Thread[] canceller = new Thread[1];
    scene.world.whenRead(reading, () -> canceller[0] = runUntilItEndsOrWaits(scene));
    for (int i = 0; i < 4 && !scene.world.wasRead(); i++) {
      while (scene.step()) {}
      scene.world.advanceMillis(130);
    }
    boolean came = scene.world.wasRead();
    if (came) {
      Await.until("the other thread ends", () -> !canceller[0].isAlive());
      scene.settle();
      if (scene.asked.isDone() && !scene.asked.isCompletedExceptionally()) {
        ((HoldHandle) scene.asked.get()).holdState().release(outcome -> {});
      }
      scene.assertNothingIsLeft(primitive + " " + fate + ", cancelled at reading " + reading);
    }
    return came;
  }

  private static Thread runUntilItEndsOrWaits(WayOutScene scene) {
    Thread thread = new Thread(() -> scene.asked.cancel(true), "canceller");
    thread.setDaemon(true);
    thread.start();
    Await.until(
        "the canceller ends or waits",
        () ->
            thread.getState() == Thread.State.TERMINATED
                || thread.getState() == Thread.State.WAITING);
    return thread;
  }
}
