package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.primitive.OnceRunner;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trying, releasing and running once in a period without blocking a thread. */
@Timeout(60)
class AsyncReleaseTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration WAIT = Duration.ofMinutes(2);

  private final HoldScene scene = new HoldScene();

  private Once once() {
    return new OnceRunner(scene.view(), LockName.plain("report"), HOUR);
  }

  private Once rivals() {
    return new OnceRunner(scene.rival.view(scene.rival.options()), LockName.plain("report"), HOUR);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aReleaseEndsAsABlockingOneAndOnACallbackThread(Primitive primitive) throws Exception {
    Hold hold = scene.take(primitive, "a");
    CompletableFuture<Outcome> released = hold.releaseAsync();
    assertThat(released).isNotDone();
    assertThat(hold.isHeld()).isFalse();
    scene.world.runCallbacks();
    assertThat(released).isCompletedWithValue(Outcome.RELEASED);
    CompletableFuture<Outcome> again = hold.releaseAsync();
    scene.world.runCallbacks();
    assertThat(again).isCompletedWithValue(Outcome.ALREADY_RELEASED);
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void aReleaseOfALostHoldSaysSoOnce() throws Exception {
    Hold hold = scene.take("a");
    scene.renewalsFail();
    scene.world.advance(HoldScene.LEASE);
    CompletableFuture<Outcome> released = hold.releaseAsync();
    scene.world.runCallbacks();
    assertThat(released).isCompletedWithValue(Outcome.LOST);
    hold.close();
  }

  @Test
  void aStoreThatDoesNotReplyIsUnknown() throws Exception {
    Hold hold = scene.take("a");
    scene.engine.next(ScriptedEngine.Kind.LEAVE, Faults.down());
    CompletableFuture<Outcome> released = hold.releaseAsync();
    scene.world.runCallbacks();
    assertThat(released).isCompletedWithValue(Outcome.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aTryIsEmptyOnlyWhenItIsBusy(Primitive primitive) throws Exception {
    DistributedLock lock = primitive.of(scene.view(), "a");
    CompletableFuture<Optional<Hold>> first = lock.tryAcquireAsync(Duration.ZERO);
    scene.world.runCallbacks();
    Hold hold = first.get().orElseThrow();
    CompletableFuture<Optional<Hold>> busy = lock.tryAcquireAsync(Duration.ofSeconds(3));
    scene.world.advance(Duration.ofSeconds(3));
    assertThat(busy).isCompletedWithValue(Optional.empty());
    hold.release();
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    CompletableFuture<Optional<Hold>> down = lock.tryAcquireAsync(Duration.ofSeconds(3));
    scene.world.advance(Duration.ofSeconds(3));
    assertThat(down)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void aRunKeepsTheHoldUntilItsStageEndsAndMarksThePeriod() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<Once.Result> ran = once().runAsync(WAIT, hold -> work);
    scene.world.runCallbacks();
    scene.world.advance(Duration.ofMinutes(5));
    assertThat(ran).isNotDone();
    assertThat(rivals().runNoWait(hold -> {})).isEqualTo(Once.Result.BUSY);
    work.complete("sent");
    scene.world.runCallbacks();
    assertThat(ran).isCompletedWithValue(Once.Result.RAN);
    assertThat(rivals().runNoWait(hold -> {})).isEqualTo(Once.Result.DONE);
    assertThat(scene.inspector().show(HoldScene.resource("report")).orElseThrow().marked())
        .contains(HOUR.minusMinutes(1).minusMinutes(5));
    assertThat(scene.client.renewals().size()).isZero();
  }

  @Test
  void aRunThatFailedLeavesNoMarkAndPassesItsFailureOn() throws Exception {
    IOException own = new IOException("printer on fire");
    CompletableFuture<Object> work = new CompletableFuture<>();
    CompletableFuture<Once.Result> ran =
        once().runAsync(WAIT, hold -> work.thenApply(value -> value));
    scene.world.runCallbacks();
    work.completeExceptionally(own);
    scene.world.runCallbacks();
    assertThat(ran).failsWithin(Duration.ZERO).withThrowableThat().havingCause().isSameAs(own);
    assertThat(rivals().runNoWait(hold -> {})).isEqualTo(Once.Result.RAN);
  }

  @Test
  void aBodyThatThrowsOrReturnsNothingFailedToo() throws Exception {
    CompletableFuture<Once.Result> thrown =
        once()
            .runAsync(
                WAIT,
                hold -> {
                  throw new IllegalStateException("at once");
                });
    scene.world.runCallbacks();
    assertThat(thrown).isCompletedExceptionally();
    CompletionStage<?> none = null;
    CompletableFuture<Once.Result> nothing = once().runAsync(WAIT, hold -> none);
    scene.world.runCallbacks();
    assertThat(nothing).isCompletedExceptionally();
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void aRunThatLostItsHoldFailsAndAnotherMayRun() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<Once.Result> ran = once().runAsync(WAIT, hold -> work);
    scene.world.runCallbacks();
    scene.renewalsFail();
    scene.world.advance(HoldScene.LEASE);
    work.complete("late");
    scene.world.runCallbacks();
    assertThat(ran)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(LockLostException.class);
    assertThat(rivals().runNoWait(hold -> {})).isEqualTo(Once.Result.RAN);
  }

  @Test
  void aMarkThatGetsNoReplyIsWrittenAgain() throws Exception {
    scene.engine.next(ScriptedEngine.Kind.SETTLE, Faults.requestLost());
    CompletableFuture<Once.Result> ran =
        once().runAsync(WAIT, hold -> CompletableFuture.completedFuture(1));
    scene.world.runCallbacks();
    assertThat(ran).isNotDone();
    scene.world.advanceMillis(100);
    assertThat(ran).isCompletedWithValue(Once.Result.RAN);
    assertThat(rivals().runNoWait(hold -> {})).isEqualTo(Once.Result.DONE);
  }

  @Test
  void cancellingBeforeTheBodyLeavesTheLineAndLaterDoesNotEndTheRun() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<Once.Result> running = once().runAsync(WAIT, hold -> work);
    scene.world.runCallbacks();
    CompletableFuture<Once.Result> waiting =
        rivals().runAsync(WAIT, hold -> CompletableFuture.completedFuture("never"));
    scene.world.runCallbacks();
    waiting.cancel(true);
    assertThat(scene.engine.tickets("report")).hasSize(1);
    running.cancel(true);
    scene.world.runCallbacks();
    assertThat(scene.engine.tickets("report")).hasSize(1);
    work.complete("done");
    scene.world.runCallbacks();
    assertThat(rivals().runNoWait(hold -> {})).isEqualTo(Once.Result.DONE);
  }
}
