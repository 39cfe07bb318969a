package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a mutex passes from one thread of a client to the next without a store call. */
@Timeout(60)
class HandOverTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final HoldScene scene = new HoldScene();

  private CompletableFuture<Hold> ask() {
    return scene.lock("a").acquireAsync(LONG);
  }

  private Hold got(CompletableFuture<Hold> asked) throws Exception {
    scene.world.runCallbacks();
    return asked.get();
  }

  private int storeCalls() {
    return scene.engine.count(ScriptedEngine.Kind.ATTEMPT)
        + scene.engine.count(ScriptedEngine.Kind.LEAVE)
        + scene.renewals();
  }

  @Test
  void aReleaseHandsOverToTheNextWithAHigherTokenAndNoStoreCall() throws Exception {
    Hold first = scene.take("a");
    CompletableFuture<Hold> next = ask();
    int before = storeCalls();
    assertThat(first.release()).isEqualTo(Outcome.RELEASED);
    assertThat(first.isHeld()).isFalse();
    Hold second = got(next);
    assertThat(second.isHeld()).isTrue();
    assertThat(second.token()).isEqualTo(first.token() + 1);
    assertThat(Token.grant(second.token())).isEqualTo(Token.grant(first.token()));
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(storeCalls()).isEqualTo(before);
    assertThat(scene.events(HoldfastListener.Acquired.class))
        .extracting(HoldfastListener.Acquired::handedOver)
        .containsExactly(false, true);
    assertThat(second.release()).isEqualTo(Outcome.RELEASED);
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void theOldHoldIsOverBeforeTheNewOneIsHeld() throws Exception {
    HoldHandle first = scene.take("a");
    CompletableFuture<Hold> next = ask();
    List<Boolean> seen = new ArrayList<>();
    var unused = next.thenAccept(second -> seen.add(first.isHeld()));
    first.holdState().release(outcome -> seen.add(next.isDone()));
    scene.world.runCallbacks();
    assertThat(seen).containsExactly(false, false);
  }

  @Test
  void withExactlyHalfOfTheLeaseLeftItIsHandedOver() throws Exception {
    Hold first = scene.take("a");
    scene.renewalsFail();
    CompletableFuture<Hold> next = ask();
    scene.world.advance(HoldScene.BELIEVED.minusSeconds(15));
    int before = storeCalls();
    first.release();
    assertThat(got(next).token()).isEqualTo(first.token() + 1);
    assertThat(storeCalls() - before).isLessThanOrEqualTo(1);
    assertThat(scene.engine.count(ScriptedEngine.Kind.LEAVE)).isZero();
  }

  @Test
  void withLessThanHalfOfTheLeaseLeftItIsReleasedAndRequestedAgain() throws Exception {
    Hold first = scene.take("a");
    scene.renewalsFail();
    CompletableFuture<Hold> next = ask();
    scene.world.advance(HoldScene.BELIEVED.minusSeconds(15).plusNanos(1));
    first.release();
    Hold second = got(next);
    assertThat(scene.engine.count(ScriptedEngine.Kind.LEAVE)).isEqualTo(1);
    assertThat(Token.grant(second.token())).isGreaterThan(Token.grant(first.token()));
    assertThat(second.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void itIsHandedOverAThousandAndTwentyThreeTimesAtMost() throws Exception {
    Hold hold = scene.take("a");
    long granted = hold.token();
    for (int i = 1; i <= Token.MAX_HAND_OVERS; i++) {
      CompletableFuture<Hold> next = ask();
      hold.release();
      hold = got(next);
      assertThat(hold.token()).isEqualTo(granted + i);
    }
    assertThat(scene.engine.count(ScriptedEngine.Kind.LEAVE)).isZero();
    CompletableFuture<Hold> next = ask();
    hold.release();
    hold = got(next);
    assertThat(scene.engine.count(ScriptedEngine.Kind.LEAVE)).isEqualTo(1);
    assertThat(Token.grant(hold.token())).isGreaterThan(Token.grant(granted));
  }

  @Test
  void aFixedLeaseIsNeverHandedOver() throws Exception {
    Hold first = scene.take(Primitive.FIXED, "a");
    CompletableFuture<Hold> next = Primitive.FIXED.of(scene.view(), "a").acquireAsync(LONG);
    assertThat(scene.engine.tickets("a")).hasSize(2);
    first.release();
    Hold second = got(next);
    assertThat(Token.grant(second.token())).isGreaterThan(Token.grant(first.token()));
    assertThat(second.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void aClaimWhoseLeaveWasSentIsNotHandedOver() throws Exception {
    HoldHandle first = scene.take("a");
    scene.engine.next(ScriptedEngine.Kind.LEAVE, Faults.requestLost());
    assertThat(first.release()).isEqualTo(Outcome.UNKNOWN);
    CompletableFuture<Hold> next = ask();
    scene.world.advance(Duration.ofSeconds(1));
    Hold second = got(next);
    assertThat(Token.grant(second.token())).isGreaterThan(Token.grant(first.token()));
  }

  @Test
  void aWaiterWhoseTimeIsUpIsSkipped() throws Exception {
    Hold first = scene.take("a");
    CompletableFuture<Hold> gone = scene.lock("a").acquireAsync(Duration.ofMillis(10));
    CompletableFuture<Hold> cancelled = ask();
    CompletableFuture<Hold> next = ask();
    scene.world.advanceMillis(10);
    assertThat(gone).isCompletedExceptionally();
    cancelled.cancel(true);
    first.release();
    assertThat(got(next).token()).isEqualTo(first.token() + 1);
  }

  @Test
  void aTryWhileItIsHeldHereEndsBusyWithoutAStoreCall() throws Exception {
    Hold held = scene.take("a");
    int before = storeCalls();
    for (int i = 0; i < 10; i++) {
      assertThat(scene.lock("a").tryAcquire()).isEmpty();
    }
    assertThat(storeCalls()).isEqualTo(before);
    held.release();
    assertThat(scene.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void theListenersOfTheOldHoldDoNotHearOfTheNewOnesLoss() throws Exception {
    Hold first = scene.take("a");
    List<String> reported = new ArrayList<>();
    first.onLoss(loss -> reported.add("first"));
    CompletableFuture<Hold> next = ask();
    first.release();
    Hold second = got(next);
    second.onLoss(loss -> reported.add("second"));
    scene.renewalsFail();
    scene.world.advance(HoldScene.LEASE);
    assertThat(reported).containsExactly("second");
    assertThat(second.loss().orElseThrow().token()).isEqualTo(second.token());
  }

  @Test
  void viewsWithOtherTermsDoNotShareATicket() throws Exception {
    Hold held = scene.take("a");
    ClientView shorter =
        scene.client.view(scene.client.options().withLease(Duration.ofSeconds(10)));
    CompletableFuture<Hold> other = Primitive.ANY.of(shorter, "a").acquireAsync(LONG);
    assertThat(scene.engine.tickets("a")).hasSize(2);
    held.release();
    Hold got = got(other);
    assertThat(Token.grant(got.token())).isGreaterThan(Token.grant(held.token()));
    assertThat(got.remaining()).isEqualTo(Duration.ofMillis(9_400));
  }

  @Test
  void viewsThatDifferInLabelsAloneShareATicket() throws Exception {
    Hold held = scene.take("a");
    ClientView labelled = scene.client.view(scene.client.options().withText("batch 7"));
    CompletableFuture<Hold> other = Primitive.ANY.of(labelled, "a").acquireAsync(LONG);
    assertThat(scene.engine.tickets("a")).hasSize(1);
    held.release();
    assertThat(got(other).token()).isEqualTo(held.token() + 1);
  }

  @Test
  void anEvictedHolderCostsNoOtherHolderItsHold() throws Exception {
    Hold held = scene.take("a");
    CompletableFuture<Hold> next = ask();
    scene.inspector().evict(HoldScene.resource("a"), held.token(), "stuck");
    scene.world.advanceUntil("the loss", HoldScene.LEASE, () -> held.loss().isPresent());
    Hold second = got(next);
    assertThat(second.isHeld()).isTrue();
    assertThat(Token.grant(second.token())).isGreaterThan(Token.grant(held.token()));
  }
}
