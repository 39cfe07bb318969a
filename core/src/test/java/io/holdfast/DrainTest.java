package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that takes no new work and waits for what is held; and what its numbers say. */
@Timeout(60)
class DrainTest {

  private static final Duration WAIT = Duration.ofHours(1);

  private final HoldScene scene = new HoldScene();

  private DistributedLock lock(Primitive primitive, String name) {
    return primitive.of(scene.view(), name);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void newAcquiresAreRefusedAndThoseThatWaitEnd(Primitive primitive) throws Exception {
    Hold rivals = primitive.of(scene.rival.view(scene.rival.options()), "busy").acquire(WAIT);
    CompletableFuture<Hold> waiting = lock(primitive, "busy").acquireAsync(WAIT);
    CompletableFuture<Hold> behind = lock(primitive, "busy").acquireAsync(WAIT);
    scene.world.runCallbacks();
    assertThat(scene.client.drain(Duration.ZERO)).isTrue();
    scene.world.runCallbacks();
    assertThat(waiting)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(HoldfastClosedException.class)
        .withMessageContaining("began to drain while waiting for \"busy\"");
    assertThat(behind).isCompletedExceptionally();
    assertThatThrownBy(() -> lock(primitive, "free").tryAcquire())
        .isInstanceOf(HoldfastClosedException.class)
        .hasMessageContaining("is draining and takes no new work");
    rivals.release();
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(scene.engine.lines()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = "FIXED", mode = EnumSource.Mode.EXCLUDE)
  void holdsAreRenewedUntilTheyAreReleased(Primitive primitive) throws Exception {
    Hold hold = lock(primitive, "a").acquire(WAIT);
    Duration work = Duration.ofMinutes(5);
    scene.world.schedule(work.toNanos(), hold::release);
    Duration before = scene.world.elapsed();
    assertThat(scene.client.drain(Duration.ofMinutes(10))).isTrue();
    assertThat(scene.world.elapsed().minus(before)).isEqualTo(work);
    assertThat(hold.loss()).isEmpty();
    assertThat(scene.rivalsLock("other").tryAcquire()).isPresent();
  }

  @Test
  void whatIsStillHeldAfterTheTimeIsReported() throws Exception {
    Hold hold = scene.take("a");
    Duration before = scene.world.elapsed();
    assertThat(scene.client.drain(Duration.ofMinutes(2))).isFalse();
    assertThat(scene.world.elapsed().minus(before)).isEqualTo(Duration.ofMinutes(2));
    assertThat(hold.isHeld()).isTrue();
    assertThat(scene.client.stats().draining()).isTrue();
    scene.client.close(Duration.ZERO);
    assertThat(scene.client.drain(Duration.ZERO)).isTrue();
  }

  @Test
  void aClaimThatIsFreeBetweenTwoThreadsOfTheClientIsGivenBack() throws Exception {
    Hold hold = scene.take("a");
    Caller<Hold> next = Caller.start(() -> scene.lock("a").acquire(WAIT));
    scene.world.awaitParked(next.thread());
    hold.release();
    boolean drained = scene.client.drain(Duration.ofMinutes(1));
    if (next.failure() == null) {
      // The thread was quicker than the drain: then it holds.
      assertThat(drained).isFalse();
      assertThat(next.result().release()).isEqualTo(Outcome.RELEASED);
    } else {
      assertThat(drained).isTrue();
    }
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void anInterruptEndsTheWaitAndStays() throws Exception {
    Hold hold = scene.take("a");
    Thread.currentThread().interrupt();
    assertThat(scene.client.drain(Duration.ofMinutes(5))).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void aNegativeTimeIsRejectedAndNothingDrains() {
    assertThatThrownBy(() -> scene.client.drain(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(scene.client.stats().draining()).isFalse();
  }

  @Test
  void aCandidateStandsNoMoreAndALeaderHoldsUntilItResigns() throws Exception {
    Holdfast holdfast = Holdfast.open(scene.engine, HoldfastOptions.DEFAULTS, scene.world);
    Election.Candidacy leader = holdfast.election("e/{}", 1).stand(leadership -> {});
    scene.world.runCallbacks();
    assertThat(leader.isLeader()).isTrue();
    assertThat(holdfast.drain(Duration.ofSeconds(1))).isFalse();
    leader.close();
    assertThat(holdfast.drain(Duration.ofSeconds(1))).isTrue();
    scene.world.advance(Duration.ofMinutes(1));
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void statsCountWhatIsHeldWaitsAndFails() throws Exception {
    assertThat(scene.client.stats()).isEqualTo(new Stats(0, 0, 0, 0, 0, false));
    Hold a = scene.take("a");
    Hold b = scene.take(Primitive.SEMAPHORE, "b");
    var one = lock(Primitive.ANY, "a").acquireAsync(WAIT);
    var two = lock(Primitive.SEMAPHORE, "b").acquireAsync(WAIT);
    scene.world.runCallbacks();
    assertThat(scene.client.stats()).isEqualTo(new Stats(2, 2, 0, 0, 0, false));
    ScriptedEngine.Rule failing = scene.renewalsFail();
    scene.world.advance(Duration.ofSeconds(15));
    assertThat(scene.client.stats().renewalsFailing()).isEqualTo(2);
    failing.end();
    scene.world.advance(Duration.ofSeconds(8));
    assertThat(scene.client.stats().renewalsFailing()).isZero();
    one.cancel(true);
    two.cancel(true);
    assertThat(scene.client.stats().waiting()).isZero();
    assertThat(a.release()).isEqualTo(Outcome.RELEASED);
    assertThat(b.release()).isEqualTo(Outcome.RELEASED);
  }
}
