package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.client.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U19. A client that closes leaves nothing held, whatever its tasks do. */
@Timeout(60)
class U19ClosingTest {

  private final HoldScene scene = new HoldScene();

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void everyHoldEndsAndEveryNameIsFreeAtOnce(Primitive primitive) throws Exception {
    List<Hold> holds = new ArrayList<>();
    List<Loss> reported = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Hold hold = scene.take(primitive, "n" + i);
      hold.onLoss(reported::add);
      holds.add(hold);
    }
    Duration before = scene.world.elapsed();
    scene.client.close(Duration.ofSeconds(1));
    assertThat(scene.world.elapsed().minus(before)).isLessThan(Duration.ofSeconds(1));
    assertThat(holds).noneMatch(Hold::isHeld);
    assertThat(reported).hasSize(50).allMatch(loss -> loss.cause() == Loss.Cause.CLOSED);
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.engine.isClosed()).isTrue();
    assertThat(scene.client.renewals().size()).isZero();
  }

  @Test
  void aTaskThatReleasesLaterGetsAlreadyReleasedAndTouchesNoOtherHolder() throws Exception {
    Hold hold = scene.take("a");
    scene.client.close(Duration.ZERO);
    Hold rivals = scene.rivalsLock("a").tryAcquire().orElseThrow();
    assertThat(hold.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    hold.close();
    assertThat(rivals.isHeld()).isTrue();
  }

  @Test
  void theHolderIsNotifiedBeforeARivalIsIn() throws Exception {
    Hold hold = scene.take("a");
    CompletableFuture<Hold> rivals = scene.rivalsLock("a").acquireAsync(Duration.ofMinutes(1));
    List<Boolean> rivalWasIn = new ArrayList<>();
    hold.onLoss(
        loss ->
            rivalWasIn.add(
                scene.engine.tickets("a").stream()
                    .anyMatch(ticket -> ticket.token() != 0 && ticket.token() != hold.token())));
    scene.client.close(Duration.ofSeconds(1));
    scene.world.runCallbacks();
    assertThat(rivalWasIn).containsExactly(false);
    assertThat(rivals).isCompletedWithValueMatching(Hold::isHeld);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void waitersEndBecauseTheClientIsClosed(Primitive primitive) throws Exception {
    Hold rivals =
        primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    CompletableFuture<Hold> async =
        primitive.of(scene.view(), "a").acquireAsync(Duration.ofMinutes(5));
    Caller<Hold> blocked = Caller.start(() -> primitive.of(scene.view(), "a").acquire());
    scene.world.awaitParked(blocked.thread());
    scene.client.close(Duration.ZERO);
    scene.world.runCallbacks();
    assertThat(blocked.failure())
        .isInstanceOf(HoldfastClosedException.class)
        .hasMessageContainingAll("memory:", "\"a\"");
    assertThat(async)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(HoldfastClosedException.class);
    assertThat(scene.engine.tickets("a")).hasSize(1);
    assertThat(rivals.isHeld()).isTrue();
  }

  @Test
  void aClosedClientGrantsNothingAndClosesOnce() {
    scene.client.close(Duration.ZERO);
    scene.client.close(Duration.ZERO);
    assertThatThrownBy(() -> scene.lock("a").acquire())
        .isInstanceOf(HoldfastClosedException.class)
        .hasMessageContainingAll("memory:", "\"a\"", "was not requested");
    assertThatThrownBy(() -> scene.lock("a").tryAcquire())
        .isInstanceOf(HoldfastClosedException.class);
    assertThat(scene.engine.calls()).isEmpty();
    assertThat(scene.client.health().status()).isEqualTo(Health.Status.CLOSED);
  }

  @Test
  void aLeaveThatFailsDoesNotKeepTheOthersFromLeaving() throws Exception {
    for (int i = 0; i < 10; i++) {
      scene.take("n" + i);
    }
    scene.engine.script(
        call -> call.kind() == ScriptedEngine.Kind.LEAVE && call.name().equals("n3"),
        Faults.down(),
        Integer.MAX_VALUE);
    Duration before = scene.world.elapsed();
    scene.client.close(Duration.ofSeconds(1));
    assertThat(scene.engine.lines()).containsExactly("n3");
    assertThat(scene.world.elapsed().minus(before)).isLessThanOrEqualTo(Duration.ofSeconds(5));
    scene.world.advance(HoldScene.LEASE);
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void callbacksGetTheGraceAndNoMore() throws Exception {
    TestWorld world = new TestWorld().callbacksOnThreads();
    ScriptedEngine engine = ScriptedEngine.on(world);
    Client client = Client.open(engine, HoldfastOptions.DEFAULTS, world);
    Hold hold = Primitive.ANY.of(client.view(client.options()), "a").tryAcquire().orElseThrow();
    CountDownLatch never = new CountDownLatch(1);
    hold.onLoss(
        loss -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    Caller<Void> closer =
        Caller.start(
            () -> {
              client.close(Duration.ofSeconds(3));
              return null;
            });
    world.awaitParked(closer.thread());
    world.advance(Duration.ofMillis(2_999));
    assertThat(closer.isDone()).isFalse();
    assertThat(hold.isHeld()).isFalse();
    assertThat(engine.tickets("a")).hasSize(1);
    world.advance(Duration.ofMillis(1));
    closer.result();
    assertThat(engine.lines()).isEmpty();
    never.countDown();
  }

  @Test
  void closingAnInterruptedThreadsClientKeepsTheFlag() throws Exception {
    List<Loss> reported = new ArrayList<>();
    scene.take("a").onLoss(reported::add);
    Thread.currentThread().interrupt();
    scene.client.close(Duration.ofSeconds(1));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(reported).hasSize(1);
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void aNegativeGraceIsAMistake() {
    assertThatThrownBy(() -> scene.client.close(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grace=-1 ms");
  }
}
