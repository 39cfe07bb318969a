package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.ResourceLock;

@DisplayName(
    "rule 6, one verb per ticket at a time, and rule 10, one attempt per resource and batch")
interface Rule06OneVerbAtATime {

  int THREADS = 6;
  int ROUNDS = 20;

  @ResourceLock(Hammer.BUSY)
  @EveryMutex
  default void the_runtime_keeps_what_engines_rely_on(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "busy");
    List<Caller> callers = List.of(stage.caller(), stage.callerWithLanes());
    List<Running<Integer>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Caller caller = callers.get(i % callers.size());
      running.add(stage.run("busy-" + i, () -> lockAndUnlock(caller, dress)));
    }
    for (Running<Integer> each : running) {
      assertThat(each.result(Duration.ofSeconds(60))).isEqualTo(ROUNDS);
    }
    for (Caller caller : callers) {
      assertThat(caller.engine().breaches()).isEmpty();
      assertThat(caller.engine().reached()).as("verbs that reached the store").isNotEmpty();
    }
  }

  private static int lockAndUnlock(Caller caller, Dress dress) throws Exception {
    int done = 0;
    while (done < ROUNDS) {
      try (Hold hold = dress.lock(caller.holdfast(), "busy").acquire(Duration.ofMinutes(5))) {
        hold.ensureHeld();
        done++;
      }
    }
    return done;
  }
}
