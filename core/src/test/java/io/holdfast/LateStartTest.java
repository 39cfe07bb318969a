package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * U04. A waiter that gives up between the decision to ask and the request: nothing is requested.
 */
@Timeout(60)
class LateStartTest {

  @Test
  void aWaiterThatGivesUpWhileTheLineLeavesAndStartsAgainLeavesNothing() throws Exception {
    WayOutScene scene = new WayOutScene(Primitive.ANY);
    CompletableFuture<Hold> first = scene.door().acquireAsync(WayOutScene.WAIT);
    scene.settle();
    HoldHandle held = (HoldHandle) first.get();
    // Below half of the lease nothing is handed over: the line leaves, then asks for the waiter.
    scene.engine.always(ScriptedEngine.Kind.RENEW, Faults.down());
    scene.world.advance(Duration.ofSeconds(16));
    scene.ask();
    held.holdState().release(outcome -> scene.asked.cancel(true));
    scene.settle();
    assertThat(scene.engine.tickets(WayOutScene.NAME)).isEmpty();
    scene.assertNothingIsLeft("the waiter gave up before the line asked for it");
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void anAcquireThatMeetsTheCloseOfItsClientAsksForNothingAndEnds(Primitive primitive) {
    WayOutScene scene = new WayOutScene(primitive);
    scene.lane.whenAskedForRoom(() -> scene.client.close(Duration.ZERO));
    CompletableFuture<Hold> asked = scene.door().acquireAsync(WayOutScene.WAIT);
    while (scene.step()) {}
    assertThat(asked).isCompletedExceptionally();
    assertThat(asked)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(HoldfastClosedException.class);
    assertThat(scene.lane.all()).noneMatch(verb -> verb instanceof Verb.Attempt);
  }
}
