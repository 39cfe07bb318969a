package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.primitive.DefaultLock;
import io.holdfast.runtime.primitive.OnceRunner;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One run in a period, wherever it runs first. */
@Timeout(60)
class OnceTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration WAIT = Duration.ofMinutes(2);

  private final HoldScene scene = new HoldScene();
  private final List<String> ran = new ArrayList<>();

  private Once here(Duration every) {
    return new OnceRunner(scene.view(), LockName.plain("report"), every);
  }

  private Once there(Duration every) {
    return new OnceRunner(scene.rival.view(scene.rival.options()), LockName.plain("report"), every);
  }

  private Duration marked() throws Exception {
    return scene
        .inspector()
        .show(HoldScene.resource("report"))
        .orElseThrow()
        .marked()
        .orElseThrow();
  }

  @Test
  void itRunsOnceInAPeriodAndOtherCallersGetDone() throws Exception {
    assertThat(here(HOUR).run(WAIT, hold -> ran.add("here"))).isEqualTo(Once.Result.RAN);
    assertThat(there(HOUR).run(WAIT, hold -> ran.add("there"))).isEqualTo(Once.Result.DONE);
    assertThat(here(HOUR).runNoWait(hold -> ran.add("again"))).isEqualTo(Once.Result.DONE);
    assertThat(ran).containsExactly("here");
  }

  @Test
  void theMarkEndsAMinuteBeforeALongPeriodDoesCountedFromTheGrant() throws Exception {
    here(HOUR).run(WAIT, hold -> scene.world.advance(Duration.ofSeconds(100)));
    assertThat(marked()).isEqualTo(HOUR.minusMinutes(1).minusSeconds(100));
    scene.world.advance(marked().minusNanos(1));
    assertThat(there(HOUR).runNoWait(hold -> ran.add("early"))).isEqualTo(Once.Result.DONE);
    scene.world.advance(Duration.ofNanos(1));
    assertThat(there(HOUR).runNoWait(hold -> ran.add("next"))).isEqualTo(Once.Result.RAN);
    assertThat(ran).containsExactly("next");
  }

  @Test
  void theMarkEndsATenthBeforeAShortPeriodDoes() throws Exception {
    here(Duration.ofMinutes(5)).run(WAIT, hold -> {});
    assertThat(marked()).isEqualTo(Duration.ofMinutes(5).minusSeconds(30));
    scene.world.advance(Duration.ofMinutes(5));
    here(Duration.ofSeconds(1)).run(WAIT, hold -> {});
    assertThat(marked()).isEqualTo(Duration.ofMillis(900));
  }

  @Test
  void theMarkOutlivesItsMaker() throws Exception {
    here(HOUR).run(WAIT, hold -> {});
    scene.client.close(Duration.ZERO);
    scene.world.advance(Duration.ofMinutes(50));
    assertThat(there(HOUR).runNoWait(hold -> ran.add("there"))).isEqualTo(Once.Result.DONE);
  }

  @Test
  void aWaiterEndsWithDoneWhenTheRunnerSucceeded() throws Exception {
    Caller<Once.Result>[] waiting = callers(1);
    here(HOUR)
        .run(
            WAIT,
            hold -> {
              waiting[0] = Caller.start(() -> there(HOUR).run(WAIT, other -> ran.add("there")));
              scene.world.awaitParked(waiting[0].thread());
              scene.world.advance(Duration.ofSeconds(45));
              assertThat(waiting[0].isDone()).isFalse();
            });
    assertThat(waiting[0].result()).isEqualTo(Once.Result.DONE);
    assertThat(ran).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private static Caller<Once.Result>[] callers(int count) {
    return (Caller<Once.Result>[]) new Caller<?>[count];
  }

  @Test
  void aWaiterTakesOverWhenTheRunnerFailed() throws Exception {
    Caller<Once.Result>[] waiting = callers(1);
    assertThatThrownBy(
            () ->
                here(HOUR)
                    .run(
                        WAIT,
                        hold -> {
                          waiting[0] =
                              Caller.start(() -> there(HOUR).run(WAIT, other -> ran.add("there")));
                          scene.world.awaitParked(waiting[0].thread());
                          throw new IOException("printer on fire");
                        }))
        .isInstanceOf(IOException.class)
        .hasMessage("printer on fire");
    assertThat(waiting[0].result()).isEqualTo(Once.Result.RAN);
    assertThat(ran).containsExactly("there");
  }

  @Test
  void aWaiterTakesOverWhenTheRunnerDied() throws Exception {
    Hold dead =
        new DefaultLock(
                scene.view(),
                LockName.plain("report"),
                HoldScene.resource("report"),
                Shape.once(),
                1)
            .tryAcquire()
            .orElseThrow();
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    Duration before = scene.world.elapsed();
    assertThat(there(HOUR).run(WAIT, hold -> ran.add("there"))).isEqualTo(Once.Result.RAN);
    assertThat(scene.world.elapsed().minus(before))
        .isBetween(HoldScene.LEASE, HoldScene.LEASE.plusSeconds(1));
    assertThat(dead.isHeld()).isFalse();
    assertThat(ran).containsExactly("there");
  }

  @Test
  void aCallerThatDoesNotWaitGetsBusy() throws Exception {
    here(HOUR)
        .run(
            WAIT,
            hold -> {
              assertThat(there(HOUR).runNoWait(other -> ran.add("there")))
                  .isEqualTo(Once.Result.BUSY);
              assertThat(there(HOUR).run(Duration.ofSeconds(1), other -> ran.add("there")))
                  .isEqualTo(Once.Result.BUSY);
            });
    assertThat(ran).isEmpty();
  }

  @Test
  void aRunThatTookLongerThanThePeriodLeavesNoMark() throws Exception {
    here(Duration.ofSeconds(10)).run(WAIT, hold -> scene.world.advance(Duration.ofSeconds(9)));
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void aRunThatLostItsHoldSaysSoAndLeavesNoMark() {
    assertThatThrownBy(
            () ->
                here(HOUR)
                    .run(
                        WAIT,
                        hold -> {
                          evict(hold);
                          scene.world.advance(Duration.ofSeconds(11));
                        }))
        .isInstanceOf(LockLostException.class);
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.client.renewals().size()).isZero();
  }

  @Test
  void aHoldThatIsGoneWhenTheMarkIsSetIsALossToo() {
    assertThatThrownBy(() -> here(HOUR).run(WAIT, this::evict))
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("did not know the claim when it was marked");
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.client.renewals().size()).isZero();
    assertThat(scene.client.health().held()).isZero();
  }

  private void evict(Hold hold) {
    try {
      scene.inspector().evict(HoldScene.resource("report"), hold.token(), "maintenance");
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMarkWithoutAReplyIsRetried() throws Exception {
    scene.engine.next(ScriptedEngine.Kind.SETTLE, Faults.down());
    scene.engine.next(ScriptedEngine.Kind.SETTLE, Faults.answerLost());
    assertThat(here(HOUR).run(WAIT, hold -> {})).isEqualTo(Once.Result.RAN);
    assertThat(scene.engine.count(ScriptedEngine.Kind.SETTLE)).isEqualTo(3);
    assertThat(there(HOUR).runNoWait(hold -> {})).isEqualTo(Once.Result.DONE);
  }

  @Test
  void aMarkThatStaysInDoubtIsReportedAndFreesTheName() {
    scene.engine.always(ScriptedEngine.Kind.SETTLE, Faults.down());
    assertThatThrownBy(() -> here(HOUR).run(WAIT, hold -> {}))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContainingAll(
            "report", "memory:", "another caller may run it again in this period");
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.client.renewals().size()).isZero();
  }

  @Test
  void anInterruptedRunnerDoesNotSpinWhileTheStoreIsUnreachable() {
    scene.engine.always(ScriptedEngine.Kind.SETTLE, Faults.down());
    try {
      assertThatThrownBy(() -> here(HOUR).run(WAIT, hold -> Thread.currentThread().interrupt()))
          .isInstanceOf(OutcomeUnknownException.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
    assertThat(scene.engine.count(ScriptedEngine.Kind.SETTLE)).isLessThan(400);
  }

  @Test
  void aPeriodShorterThanASecondIsRefused() {
    assertThatThrownBy(() -> here(Duration.ofMillis(999)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("every must be >= 1 s: every=999 ms");
  }

  /** In real time: a grant is often there before the caller has said what is to run. */
  @Test
  void anAsyncBodyNeverRunsOnTheThreadOfItsCaller() {
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      for (int i = 0; i < 2000; i++) {
        List<Thread> threads = new ArrayList<>();
        holdfast
            .once("report/{}", HOUR, i)
            .runAsync(
                WAIT,
                hold -> {
                  threads.add(Thread.currentThread());
                  return CompletableFuture.completedFuture(null);
                })
            .join();
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
      }
    }
  }
}
