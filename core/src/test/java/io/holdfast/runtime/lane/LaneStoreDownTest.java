package io.holdfast.runtime.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Await;
import io.holdfast.Caller;
import io.holdfast.Faults;
import io.holdfast.Health;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.ScriptedEngine;
import io.holdfast.StoreUnavailableException;
import io.holdfast.TestWorld;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that is down costs replies, never the client, which continues when it is back. */
@Timeout(60)
class LaneStoreDownTest {

  private final LaneScene scene = new LaneScene();

  @Test
  void withoutAConnectionAVerbIsSurelyNotDone() {
    ScriptedEngine.Rule down = scene.engine.always(ScriptedEngine.Kind.CONNECT, Faults.down());
    for (int i = 0; i < 5; i++) {
      Object answer = scene.attempt("a" + i).get();
      assertThat(answer).isInstanceOf(EngineException.NotDone.class);
      assertThat(((Exception) answer).getMessage()).contains("scripted:");
      assertThat(((Exception) answer).getCause()).hasMessage("connection refused");
    }
    assertThat(scene.engine.count(ScriptedEngine.Kind.ATTEMPT)).isZero();
    down.end();
    assertThat(scene.attempt("b").get()).isInstanceOf(Standing.Granted.class);
    assertThat(scene.engine.connectionsOpened()).isEqualTo(1);
  }

  @Test
  void aConnectionInDoubtIsNotDoneEither() {
    scene.engine.next(ScriptedEngine.Kind.CONNECT, Faults.requestLost());
    assertThat(scene.attempt("a").get()).isInstanceOf(EngineException.NotDone.class);
  }

  @Test
  void aConnectionThatIsRefusedForGoodIsReportedAsRefused() {
    scene.engine.next(ScriptedEngine.Kind.CONNECT, Faults.refused("wrong password"));
    Object answer = scene.attempt("a").get();
    assertThat(answer).isInstanceOf(EngineException.Refused.class);
    assertThat((Exception) answer).hasMessage("wrong password");
  }

  @Test
  void aDriverThatBreaksWhileConnectingIsNotDone() {
    scene.engine.next(
        ScriptedEngine.Kind.CONNECT,
        Faults.whenDone(
            () -> {
              throw new IllegalStateException("driver bug");
            }));
    Object answer = scene.attempt("a").get();
    assertThat(answer).isInstanceOf(EngineException.NotDone.class);
    assertThat(((Exception) answer).getCause()).hasMessage("driver bug");
    assertThat(scene.attempt("b").get()).isInstanceOf(Standing.Granted.class);
  }

  @Test
  void aClientStartsWhileTheStoreIsDownAndNeedsNoRestartWhenItIsBack() throws Exception {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    ScriptedEngine.Rule down = engine.always(ScriptedEngine.Kind.CONNECT, Faults.down());
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Caller<Hold> waiting = Caller.start(() -> holdfast.lock("a").acquire(Duration.ofMinutes(5)));
    Await.until("it was tried", () -> engine.count(ScriptedEngine.Kind.CONNECT) > 0);
    assertThat(holdfast.health().status()).isEqualTo(Health.Status.DOWN);
    down.end();
    world.creepUntil("the caller returns", waiting::isDone);
    assertThat(waiting.result().isHeld()).isTrue();
    assertThat(holdfast.health().status()).isEqualTo(Health.Status.UP);
    holdfast.close();
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void aBoundedWaitOnAStoreThatIsDownSaysUnavailableAndNamesTheCause() {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    engine.always(ScriptedEngine.Kind.CONNECT, Faults.down());
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Caller<?> waiting = Caller.start(() -> holdfast.lock("a").tryAcquire(Duration.ofSeconds(3)));
    world.creepUntil("the caller returns", waiting::isDone);
    assertThatThrownBy(
            () -> {
              throw waiting.failure();
            })
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContainingAll("\"a\"", "scripted:", "no connection");
  }
}
