package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.client.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An acquire without blocking: the future ends as a blocking call would, and leaves nothing. */
class AsyncAcquireTest {

  private final TestWorld world = new TestWorld();
  private final ScriptedEngine engine = ScriptedEngine.on(world);
  private final Client client = Client.open(engine, HoldfastOptions.DEFAULTS, world);

  private DistributedLock door(Primitive primitive) {
    return primitive.of(client.view(client.options()), "door");
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void theFutureCompletesOnACallbackThreadAndNotOnTheAskingOne(Primitive primitive) {
    CompletableFuture<Hold> asked = door(primitive).acquireAsync(Duration.ofSeconds(1));
    assertThat(asked).isNotDone();
    world.runCallbacks();
    assertThat(asked).isCompletedWithValueMatching(Hold::isHeld);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aWaitThatEndsFailsTheFutureAtItsTimeAndNamesTheHolder(Primitive primitive) throws Exception {
    Hold held = door(primitive).tryAcquire().orElseThrow();
    CompletableFuture<Hold> asked = door(primitive).acquireAsync(Duration.ofSeconds(3));
    world.advance(Duration.ofMillis(2_999));
    assertThat(asked).isNotDone();
    world.advance(Duration.ofMillis(1));
    assertThat(asked)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(LockTimeoutException.class)
        .withMessageContainingAll("waited 3000 ms", "thread " + Thread.currentThread().getName());
    assertThat(held.release()).isEqualTo(Outcome.RELEASED);
    assertThat(engine.lines()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void cancellingLeavesTheLineAndTheNextGetsIn(Primitive primitive) throws Exception {
    Hold held = door(primitive).tryAcquire().orElseThrow();
    CompletableFuture<Hold> gone = door(primitive).acquireAsync(Duration.ofSeconds(9));
    CompletableFuture<Hold> next = door(primitive).acquireAsync(Duration.ofSeconds(9));
    world.runCallbacks();
    assertThat(gone.cancel(true)).isTrue();
    assertThatThrownBy(gone::get).isInstanceOf(CancellationException.class);
    held.release();
    world.advanceMillis(10);
    assertThat(next).isCompletedWithValueMatching(Hold::isHeld);
    next.get().release();
    assertThat(engine.lines()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aCancelThatComesAfterTheGrantButBeforeTheNewsGivesTheHoldBack(Primitive primitive)
      throws Exception {
    CompletableFuture<Hold> asked = door(primitive).acquireAsync(Duration.ofSeconds(9));
    assertThat(engine.tickets("door")).hasSize(1);
    assertThat(asked.cancel(true)).isTrue();
    world.runCallbacks();
    assertThat(engine.lines()).isEmpty();
    assertThat(client.renewals().size()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"ANY", "FIFO"})
  void aCancelledAcquireKeepsNoTimer(Primitive primitive) throws Exception {
    Hold held = door(primitive).tryAcquire().orElseThrow();
    world.advance(Duration.ofSeconds(1));
    int before = world.pendingTimers();
    List<CompletableFuture<Hold>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(door(primitive).acquireAsync(Duration.ofHours(1)));
    }
    all.forEach(each -> each.cancel(true));
    world.runCallbacks();
    assertThat(world.pendingTimers()).isLessThanOrEqualTo(before);
    held.release();
  }

  @Test
  void anAcquireThatGotItsHoldKeepsNoTimerOfItsWait() throws Exception {
    List<CompletableFuture<Hold>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(door(Primitive.FIFO).acquireAsync(Duration.ofHours(1)));
    }
    for (CompletableFuture<Hold> each : all) {
      world.advanceMillis(1);
      each.get().release();
    }
    world.advance(Duration.ofSeconds(1));
    assertThat(world.pendingTimers()).isZero();
  }

  @Test
  void whatABlockingCallWouldThrowAtTheDoorFailsTheFuture() {
    client.close(Duration.ZERO);
    CompletableFuture<Hold> asked = door(Primitive.ANY).acquireAsync(Duration.ofSeconds(9));
    assertThat(asked)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(HoldfastClosedException.class);
  }

  @Test
  void aNegativeWaitIsAMistakeOfTheCaller() {
    assertThatThrownBy(() -> door(Primitive.ANY).acquireAsync(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("wait must not be negative: wait=-1 ms");
  }
}
