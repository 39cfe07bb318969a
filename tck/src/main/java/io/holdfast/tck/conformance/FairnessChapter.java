package io.holdfast.tck.conformance;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Outcome;
import io.holdfast.tck.TooLateError;
import io.holdfast.tck.VerbKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@DisplayName("fairness")
interface FairnessChapter {

  Duration WAIT = Duration.ofHours(1);
  Duration FAIR = Duration.ofSeconds(2);
  int TIMES = 3;

  @ResourceLock(ContendedCounter.BUSY)
  @EveryMutexKind
  default void u41_a_rival_of_a_busy_client_is_granted_within_two_seconds(
      KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "busy");
    DistributedLock busy = kind.lock(fixture.apiClient().holdfast(), "busy");
    DistributedLock lone = kind.lock(fixture.apiClient().holdfast(), "busy");
    AtomicBoolean over = new AtomicBoolean();
    List<BackgroundTask<Integer>> running = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      running.add(fixture.run("busy-" + i, () -> lockUntil(over, busy)));
    }
    fixture.time().pass(Duration.ofMillis(100));
    for (int i = 0; i < TIMES; i++) {
      BackgroundTask<Hold> rival = fixture.run("lone rival", () -> lone.acquire(WAIT));
      rival.result(FAIR).release();
    }
    over.set(true);
    int turns = 0;
    for (BackgroundTask<Integer> each : running) {
      turns += each.result(Duration.ofMinutes(1));
    }
    if (turns <= 3) {
      throw new TooLateError("the busy client was not busy: it was granted " + turns + " times");
    }
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
  @Requires(Capability.ANY)
  default void u41_a_waiting_client_polls_rarely(KitFixture fixture) throws Exception {
    ApiClient holder = fixture.apiClient();
    ApiClient rival = fixture.apiClient();
    Hold hold = holder.holdfast().lock("seldom").acquire(WAIT);
    List<BackgroundTask<Outcome>> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(
          fixture.run("waits-" + i, () -> rival.holdfast().lock("seldom").acquire(WAIT).release()));
    }
    waiting.forEach(BackgroundTask::awaitParked);
    fixture.time().pass(Duration.ofSeconds(2));
    int before = rival.engine().reached(VerbKind.ATTEMPT, "seldom").size();
    fixture.time().pass(Duration.ofSeconds(4));
    int asked = rival.engine().reached(VerbKind.ATTEMPT, "seldom").size() - before;
    KitOutput.print("five waiting threads of one client asked " + asked + " times in 4 s");
    Assertions.assertThat(asked).as("attempts in 4 s, at most 2 a second").isBetween(1, 12);
    hold.release();
    for (BackgroundTask<Outcome> each : waiting) {
      Assertions.assertThat(each.result(FAIR)).isEqualTo(Outcome.RELEASED);
    }
  }
}
