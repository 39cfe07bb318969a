package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A mutex that is released and stays taken: in virtual time, to the nanosecond. */
@Timeout(60)
class KeepTest {

  private static final Duration KEEP = Duration.ofMinutes(10);
  private static final Duration WAIT = Duration.ofHours(1);

  private final HoldScene scene = new HoldScene();

  private Duration since(Duration before) {
    return scene.world.elapsed().minus(before);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"SEMAPHORE", "WRITE"},
      mode = Mode.EXCLUDE)
  void nobodyGetsInBeforeTheTimeHasPassedThoughTheClientIsClosed(Primitive primitive)
      throws Exception {
    Hold hold = scene.take(primitive, "a");
    assertThat(hold.release(KEEP)).isEqualTo(Outcome.RELEASED);
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss()).isEmpty();
    scene.client.close(Duration.ZERO);
    scene.world.advance(KEEP.minusNanos(1));
    DistributedLock rivals = primitive.of(scene.rival.view(scene.rival.options()), "a");
    assertThat(rivals.tryAcquire()).isEmpty();
    scene.world.advance(Duration.ofNanos(1));
    assertThat(rivals.tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(
      names = {"SEMAPHORE", "WRITE"},
      mode = Mode.EXCLUDE)
  void aShorterTimeThanTheLeaseEndsEarlier(Primitive primitive) throws Exception {
    Hold hold = scene.take(primitive, "a");
    Duration brief = Duration.ofSeconds(3);
    assertThat(hold.release(brief)).isEqualTo(Outcome.RELEASED);
    Duration before = scene.world.elapsed();
    Hold next = primitive.of(scene.rival.view(scene.rival.options()), "a").acquire(WAIT);
    assertThat(since(before)).isBetween(brief, brief.plusMillis(600));
    assertThat(next.token()).isGreaterThan(hold.token());
  }

  @Test
  void waitersOfThisClientAreNotHandedTheClaim() throws Exception {
    Hold hold = scene.take("a");
    var waiting = scene.lock("a").acquireAsync(WAIT);
    scene.world.runCallbacks();
    Duration before = scene.world.elapsed();
    assertThat(hold.release(KEEP)).isEqualTo(Outcome.RELEASED);
    scene.world.advance(KEEP.minusNanos(1));
    assertThat(waiting).isNotDone();
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(waiting).isCompletedWithValueMatching(Hold::isHeld);
    assertThat(since(before)).isGreaterThanOrEqualTo(KEEP);
    assertThat(waiting.get().token() >> 10).isGreaterThan(hold.token() >> 10);
  }

  @Test
  void waitersInOrderKeepTheirPlaces() throws Exception {
    ClientView fifo = scene.client.view(scene.client.options().withOrder(Order.FIFO));
    ClientView rivals = scene.rival.view(scene.rival.options().withOrder(Order.FIFO));
    LockName name = LockName.plain("a");
    Shape shape = Shape.mutex(Order.FIFO);
    Hold hold = fifo.lock(name, shape, 1).acquire();
    var first = rivals.lock(name, shape, 1).acquireAsync(WAIT);
    var second = fifo.lock(name, shape, 1).acquireAsync(WAIT);
    scene.world.runCallbacks();
    hold.release(KEEP);
    scene.world.advance(KEEP.plusSeconds(1));
    assertThat(first).isCompletedWithValueMatching(Hold::isHeld);
    assertThat(second).isNotDone();
    first.get().release();
    scene.world.advanceMillis(600);
    assertThat(second).isCompletedWithValueMatching(Hold::isHeld);
  }

  @Test
  void othersAndOperatorsSeeTheLastHolder() throws Exception {
    Hold hold = scene.take("a");
    hold.release(KEEP);
    assertThatThrownBy(() -> scene.rivalsLock("a").acquire(Duration.ofSeconds(1)))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("token " + hold.token());
    TicketView view =
        scene.inspector().show(HoldScene.resource("a")).orElseThrow().tickets().get(0);
    assertThat(view.state()).isEqualTo(TicketView.State.HOLDING);
    assertThat(view.token()).isEqualTo(hold.token());
    assertThat(view.leaseLeft()).isEqualTo(KEEP.minusSeconds(1));
    assertThat(scene.inspector().evict(HoldScene.resource("a"), hold.token(), "needed"))
        .isEqualTo(EngineInspector.Verdict.DONE);
    assertThat(scene.rivalsLock("a").tryAcquire()).isPresent();
  }

  @Test
  void nothingStaysBehindInTheClient() throws Exception {
    scene.take("a").release(KEEP);
    assertThat(scene.client.renewals().size()).isZero();
    assertThat(scene.client.localLines().size()).isZero();
    assertThat(scene.client.leaver().size()).isZero();
    int renewals = scene.renewals();
    scene.world.advance(KEEP);
    assertThat(scene.renewals()).isEqualTo(renewals);
  }

  @Test
  void zeroIsAPlainRelease() throws Exception {
    assertThat(scene.take("a").release(Duration.ZERO)).isEqualTo(Outcome.RELEASED);
    assertThat(scene.rivalsLock("a").tryAcquire()).isPresent();
  }

  @Test
  void timesOutOfBoundsAreRejectedAndTheHoldStands() throws Exception {
    Hold hold = scene.take("a");
    assertThatThrownBy(() -> hold.release(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keepFor must be 0 to 365 days");
    assertThatThrownBy(() -> hold.release(Duration.ofDays(366)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(hold.isHeld()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"SEMAPHORE", "WRITE"})
  void whatIsNoMutexIsRefusedAndTheHoldStands(Primitive primitive) throws Exception {
    Hold hold = scene.take(primitive, "a");
    assertThatThrownBy(() -> hold.release(KEEP))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("only mutexes can be kept")
        .hasMessageContaining("the hold stands");
    assertThat(hold.isHeld()).isTrue();
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
  }

  @Test
  void aHoldThatIsOverSaysSo() throws Exception {
    Hold released = scene.take("a");
    released.release();
    assertThat(released.release(KEEP)).isEqualTo(Outcome.ALREADY_RELEASED);
    Hold lost = scene.take("b");
    scene.renewalsFail();
    scene.world.advance(HoldScene.LEASE);
    assertThat(lost.release(KEEP)).isEqualTo(Outcome.LOST);
    assertThat(scene.rivalsLock("b").tryAcquire()).isPresent();
  }

  @Test
  void aClaimThatTheStoreDoesNotKnowIsLost() throws Exception {
    Hold hold = scene.take("a");
    scene.inspector().evict(HoldScene.resource("a"), hold.token(), "taken away");
    assertThat(hold.release(KEEP)).isEqualTo(Outcome.LOST);
    assertThat(scene.rivalsLock("a").tryAcquire()).isPresent();
  }

  @Test
  void aStoreThatDoesNotReplyIsAskedAgainInTheBackground() throws Exception {
    Hold hold = scene.take("a");
    ScriptedEngine.Rule down = scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    assertThat(hold.release(KEEP)).isEqualTo(Outcome.UNKNOWN);
    scene.world.advance(Duration.ofSeconds(5));
    down.end();
    scene.world.advance(Duration.ofSeconds(2));
    scene.world.advance(KEEP.minusSeconds(2).minusNanos(1));
    assertThat(scene.rivalsLock("a").tryAcquire()).isEmpty();
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(scene.rivalsLock("a").tryAcquire()).isPresent();
  }

  @Test
  void aLostReplyNeverFreesTheNameEarly() throws Exception {
    Hold hold = scene.take("a");
    Duration before = scene.world.elapsed();
    scene.engine.next(ScriptedEngine.Kind.SETTLE, Faults.answerLost());
    scene.engine.always(ScriptedEngine.Kind.LEAVE, Faults.down());
    assertThat(hold.release(KEEP)).isEqualTo(Outcome.UNKNOWN);
    Hold next = scene.rivalsLock("a").acquire(WAIT);
    assertThat(since(before)).isBetween(KEEP, KEEP.plusSeconds(2));
    assertThat(next.isHeld()).isTrue();
  }

  @Test
  void theListenerHearsAReleaseAndNoLoss() throws Exception {
    scene.take("a").release(KEEP);
    scene.world.advance(KEEP);
    assertThat(scene.events(HoldfastListener.Released.class))
        .containsExactly(
            new HoldfastListener.Released("untagged", Kind.MUTEX, Outcome.RELEASED, Duration.ZERO));
    assertThat(scene.events(HoldfastListener.Lost.class)).isEmpty();
  }
}
