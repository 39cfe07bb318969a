package io.holdfast.tck;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@DisplayName("rivals")
interface Rivals {

  Duration WAIT = Duration.ofHours(1);
  Duration FAIR = Duration.ofSeconds(2);
  int TIMES = 3;

  @ResourceLock(Hammer.BUSY)
  @EveryMutex
  default void u41_a_lone_rival_of_a_busy_client_is_in_within_two_seconds(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "busy");
    DistributedLock busy = dress.lock(stage.caller().holdfast(), "busy");
    DistributedLock lone = dress.lock(stage.caller().holdfast(), "busy");
    AtomicBoolean over = new AtomicBoolean();
    List<Running<Integer>> running = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      running.add(stage.run("busy-" + i, () -> lockUntil(over, busy)));
    }
    stage.time().pass(Duration.ofMillis(100));
    for (int i = 0; i < TIMES; i++) {
      Running<Hold> rival = stage.run("lone rival", () -> lone.acquire(WAIT));
      rival.result(FAIR).release();
    }
    over.set(true);
    int turns = 0;
    for (Running<Integer> each : running) {
      turns += each.result(Duration.ofMinutes(1));
    }
    Assertions.assertThat(turns).as("turns of the busy client").isGreaterThan(3);
  }

  private static int lockUntil(AtomicBoolean over, DistributedLock lock)
      throws InterruptedException {
    int turns = 0;
    while (!over.get()) {
      try (Hold hold = lock.acquire(WAIT)) {
        hold.ensureHeld();
        turns++;
      }
    }
    return turns;
  }

  @Test
  @Needs(Need.ANY)
  default void u41_a_client_that_waits_asks_seldom(Stage stage) throws Exception {
    Caller holder = stage.caller();
    Caller rival = stage.caller();
    Hold hold = holder.holdfast().lock("seldom").acquire(WAIT);
    List<Running<Outcome>> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(
          stage.run("waits-" + i, () -> rival.holdfast().lock("seldom").acquire(WAIT).release()));
    }
    waiting.forEach(Running::awaitParked);
    stage.time().pass(Duration.ofSeconds(2));
    int before = rival.engine().reached(VerbKind.ATTEMPT, "seldom").size();
    stage.time().pass(Duration.ofSeconds(4));
    int asked = rival.engine().reached(VerbKind.ATTEMPT, "seldom").size() - before;
    Figures.print("five waiting threads of one client asked " + asked + " times in 4 s");
    Assertions.assertThat(asked).as("attempts in 4 s, at most 2 a second").isBetween(1, 12);
    hold.release();
    for (Running<Outcome> each : waiting) {
      Assertions.assertThat(each.result(FAIR)).isEqualTo(Outcome.RELEASED);
    }
  }
}
