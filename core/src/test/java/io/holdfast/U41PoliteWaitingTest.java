package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U41, U14. Waiting does not hammer the store, and a signal that never comes costs little. */
class U41PoliteWaitingTest {

  private static final Duration LONG = Duration.ofHours(1);

  @Test
  void u41HoweverManyThreadsWaitOneAttemptIsUnderWayForAName() throws Exception {
    WayOutScene scene = new WayOutScene(Primitive.ANY);
    scene.rivalTakes();
    List<CompletableFuture<Hold>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(scene.door().acquireAsync(LONG));
    }
    for (int i = 0; i < 1_000; i++) {
      scene.world.advanceMillis(7);
      scene.step();
    }
    scene.rivals.release();
    scene.rivals = null;
    for (CompletableFuture<Hold> each : all) {
      while (!each.isDone()) {
        if (!scene.step()) {
          scene.world.advanceMillis(1);
        }
      }
      ((HoldHandle) each.get()).holdState().release(outcome -> {});
    }
    assertThat(scene.lane.mostAttemptsOfAName()).isEqualTo(1);
    scene.assertNothingIsLeft("all were in");
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u41AClientThatWaitsAsksTwiceASecondAtMost(Primitive primitive) throws Exception {
    HoldScene scene = new HoldScene();
    Hold rivals =
        primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    CompletableFuture<Hold> asked = primitive.of(scene.view(), "a").acquireAsync(LONG);
    if (primitive == Primitive.ANY) {
      for (int i = 0; i < 50; i++) {
        var unused = primitive.of(scene.view(), "a").acquireAsync(LONG);
      }
    }
    scene.world.advance(Duration.ofSeconds(2));
    int before = scene.engine.count(ScriptedEngine.Kind.ATTEMPT);
    Duration span = Duration.ofSeconds(primitive == Primitive.FIXED ? 20 : 600);
    scene.world.advance(span);
    int attempts = scene.engine.count(ScriptedEngine.Kind.ATTEMPT) - before;
    // Jitter spreads the pauses evenly around half a second.
    assertThat(attempts).isBetween((int) span.toSeconds(), (int) (span.toSeconds() * 2 * 1.05));
    assertThat(asked).isNotDone();
    rivals.release();
    scene.world.advanceMillis(10);
    assertThat(asked).isCompletedWithValueMatching(Hold::isHeld);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u14ASignalledWaiterIsInAtOnce(Primitive primitive) throws Exception {
    HoldScene scene = new HoldScene();
    Hold rivals =
        primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    CompletableFuture<Hold> asked = primitive.of(scene.view(), "a").acquireAsync(LONG);
    scene.world.advance(Duration.ofSeconds(7));
    rivals.release();
    scene.world.runCallbacks();
    assertThat(asked).isCompletedWithValueMatching(Hold::isHeld);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u14WhenEverySignalIsLostAWaiterIsInWithinASecond(Primitive primitive) throws Exception {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).losingWakes();
    Client holder = Client.open(engine.rival(), HoldfastOptions.DEFAULTS, world);
    Client waiter = Client.open(engine, HoldfastOptions.DEFAULTS, world);
    DistributedLock held = primitive.of(holder.view(holder.options()), "a");
    DistributedLock wanted = primitive.of(waiter.view(waiter.options()), "a");
    for (int i = 0; i < 100; i++) {
      Hold rivals = held.tryAcquire().orElseThrow();
      CompletableFuture<Hold> asked = wanted.acquireAsync(LONG);
      world.advanceMillis(1_000 + 37L * i);
      rivals.release();
      world.advance(Duration.ofSeconds(1));
      assertThat(asked).isCompletedWithValueMatching(Hold::isHeld);
      asked.get().release();
      world.advanceMillis(10);
    }
  }

  @Test
  void u14AWakeThatComesWhileAskingIsNotLost() throws Exception {
    WayOutScene scene = new WayOutScene(Primitive.FIFO);
    scene.rivalTakes();
    scene.ask();
    scene.lane.execute();
    scene.rivals.release();
    scene.rivals = null;
    scene.lane.answer();
    assertThat(scene.lane.hasQueued()).as("it asks again at once").isTrue();
    scene.lane.runDry();
    scene.world.runCallbacks();
    assertThat(scene.asked).isCompletedWithValueMatching(Hold::isHeld);
  }

  @Test
  void aWaiterNeverSleepsLongerThanAThirdOfItsLease() throws Exception {
    HoldScene scene = new HoldScene(o -> o.withLease(Duration.ofSeconds(2)));
    Hold rivals = scene.rivalsLock("a").tryAcquire().orElseThrow();
    CompletableFuture<Hold> asked = scene.lock("a").acquireAsync(LONG);
    for (int i = 0; i < 200; i++) {
      scene.world.advance(Duration.ofMillis(700));
      assertThat(scene.engine.tickets("a")).hasSize(2);
    }
    rivals.release();
    scene.world.advanceMillis(10);
    assertThat(asked).isCompletedWithValueMatching(Hold::isHeld);
  }
}
