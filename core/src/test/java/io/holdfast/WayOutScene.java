package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.acquire.HandOverPolicy;
import io.holdfast.runtime.client.Client;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One acquire, driven step by step on one thread.
 *
 * <p>Another client may hold the name. A step is a verb that the store executes, a reply that
 * arrives, a callback or a timer.
 */
final class WayOutScene {

  static final String NAME = "door";
  static final Duration WAIT = Duration.ofSeconds(20);

  final TestWorld world = new TestWorld();
  final ScriptedEngine engine = ScriptedEngine.on(world);
  final ManualLane lane = new ManualLane(engine);
  final Client client;
  final Client rival;
  final Primitive primitive;
  Hold rivals;
  CompletableFuture<Hold> asked;

  WayOutScene(Primitive primitive) {
    this.primitive = primitive;
    HoldfastOptions options = HoldfastOptions.DEFAULTS;
    client = new Client(engine, options, world, lane, new HandOverPolicy(engine.traits()));
    rival = Client.open(engine.rival(), options, world);
  }

  DistributedLock door() {
    return primitive.of(client.view(client.options()), NAME);
  }

  DistributedLock rivalsDoor() {
    return primitive.of(rival.view(rival.options()), NAME);
  }

  void rivalTakes() throws InterruptedException {
    rivals = rivalsDoor().tryAcquire().orElseThrow();
  }

  void ask() {
    asked = door().acquireAsync(WAIT);
  }

  /** Takes the next step; returns false when only time can pass. */
  boolean step() {
    if (lane.hasAnswers()) {
      lane.answer();
    } else if (lane.hasQueued()) {
      lane.execute();
    } else {
      return world.runCallbacks();
    }
    return true;
  }

  /** Lets everything that is under way come to its end, with a little time for retries. */
  void settle() {
    for (int i = 0; i < 60; i++) {
      while (step()) {}
      world.advanceMillis(50);
    }
  }

  /**
   * Checks that nothing of this client is in the store or in its own state, and that the next
   * client gets in.
   */
  void assertNothingIsLeft(String when) throws Exception {
    if (rivals != null) {
      rivals.release();
      rivals = null;
    }
    settle();
    assertThat(engine.lines()).as("lines in the store, %s", when).isEmpty();
    assertThat(client.renewals().size()).as("claims, %s", when).isZero();
    assertThat(client.waiting()).as("waiters, %s", when).isEmpty();
    assertThat(client.localLines().size()).as("local lines, %s", when).isZero();
    Hold next = rivalsDoor().tryAcquire().orElseThrow();
    next.release();
  }
}
