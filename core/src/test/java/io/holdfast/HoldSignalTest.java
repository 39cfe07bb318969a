package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store that reports a change has the holds of that resource renewed at once. */
class HoldSignalTest {

  private final HoldScene scene = new HoldScene();

  @Test
  void aReportedEvictionIsALossAtOnce() throws Exception {
    HoldHandle hold = scene.take("a");
    HoldHandle other = scene.take("b");
    evictAndReport(scene, hold);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(other.isHeld()).isTrue();
    assertThat(scene.renewals()).as("the hold of another name is left alone").isEqualTo(1);
  }

  @Test
  void aReportWithoutAChangeRenewsAndCostsNothingElse() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.world.advance(Duration.ofSeconds(5));
    scene.engine.holdSignal().changed(HoldScene.resource("a"));
    scene.world.advance(Duration.ZERO);
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @Test
  void manyReportsBeforeTheRenewalWasSentShareOne() throws Exception {
    HoldHandle hold = scene.take("a");
    for (int i = 0; i < 1_000; i++) {
      scene.engine.holdSignal().changed(HoldScene.resource("a"));
    }
    scene.world.advance(Duration.ZERO);
    assertThat(scene.renewals()).isEqualTo(1);
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void reportsOfVeryManyHoldsAreCheckedSomeAtATimeAndInTheirOrder() throws Exception {
    int many = 1_200;
    List<HoldHandle> holds = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      holds.add(scene.take("n" + i));
    }
    scene.world.advance(Duration.ofSeconds(1));
    for (int i = 0; i < many; i++) {
      scene.engine.holdSignal().changed(HoldScene.resource("n" + i));
    }
    scene.world.advance(Duration.ZERO);
    assertThat(scene.renewals()).isEqualTo(500);
    assertThat(holds.get(0).remaining()).as("reported first").isEqualTo(HoldScene.BELIEVED);
    assertThat(holds.get(many - 1).remaining()).isEqualTo(HoldScene.BELIEVED.minusSeconds(1));
    scene.engine.holdSignal().changed(HoldScene.resource("n0"));
    scene.world.advance(Duration.ofMillis(49));
    assertThat(scene.renewals()).as("another report does not hurry them").isEqualTo(500);
    scene.world.advance(Duration.ofMillis(1));
    assertThat(scene.renewals()).isEqualTo(1_000);
    scene.world.advance(Duration.ofMillis(50));
    assertThat(scene.renewals()).as("and the one that was reported again").isEqualTo(many + 1);
    assertThat(holds).allMatch(HoldHandle::isHeld);
  }

  @Test
  void aReportDuringAVerbIsFollowedByAnotherLook() throws Exception {
    HoldHandle hold = scene.take("a");
    // The eviction happens after the store has renewed, while that reply is on its way.
    ScriptedEngine.Fault evictedMeanwhile =
        new ScriptedEngine.Fault() {
          @Override
          public void after() {
            evict(hold);
            scene.engine.holdSignal().changed(HoldScene.resource("a"));
          }
        };
    scene.engine.script(call -> call.kind() == ScriptedEngine.Kind.RENEW, evictedMeanwhile, 1);
    scene.world.advance(HoldScene.LEASE.dividedBy(2));
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(scene.renewals()).isEqualTo(2);
  }

  @Test
  void aFixedLeaseIsLookedAtAndNotProlonged() throws Exception {
    HoldScene fixed = new HoldScene(options -> options.withFixedLease(HoldScene.LEASE));
    HoldHandle hold = fixed.take("a");
    HoldHandle other = fixed.take("b");
    fixed.world.advance(Duration.ofSeconds(5));
    fixed.engine.holdSignal().changed(HoldScene.resource("b"));
    fixed.world.advance(Duration.ZERO);
    assertThat(fixed.renewals()).isEqualTo(1);
    // The store reports what is left of the lease, so the drift is a part of less than before.
    assertThat(other.remaining())
        .isBetween(HoldScene.BELIEVED.minusSeconds(5), HoldScene.LEASE.minusSeconds(6));
    evictAndReport(fixed, hold);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.REVOKED);
  }

  @Test
  void aReportForAHoldThatWasReleasedAsksNothing() throws Exception {
    scene.take("a").release();
    HoldHandle other = scene.take("b");
    scene.engine.holdSignal().changed(HoldScene.resource("a"));
    scene.world.advance(Duration.ZERO);
    assertThat(scene.renewals()).isZero();
    assertThat(other.isHeld()).isTrue();
  }

  @Test
  void memoryReportsToEveryClientOfTheStore() throws Exception {
    TestWorld world = new TestWorld(7).drive();
    MemoryEngine engine = MemoryEngine.create(world::nanoTime, world::epochMicros);
    Client client = Client.open(engine, HoldfastOptions.DEFAULTS, world);
    HoldHandle hold =
        (HoldHandle)
            client
                .view(client.options())
                .lock(LockName.plain("a"), Shape.mutex(Order.ANY), 1)
                .tryAcquire()
                .orElseThrow();
    EngineInspector inspector = engine.inspector().orElseThrow();
    inspector.revoke(HoldScene.resource("a"), hold.token(), "deploy");
    world.advance(Duration.ZERO);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.REVOKED);
  }

  private void evictAndReport(HoldScene at, HoldHandle hold) throws Exception {
    at.inspector().evict(HoldScene.resource("a"), hold.token(), "stuck");
    at.engine.holdSignal().changed(HoldScene.resource("a"));
    at.world.advance(Duration.ZERO);
  }

  private void evict(HoldHandle hold) {
    try {
      scene.inspector().evict(HoldScene.resource("a"), hold.token(), "stuck");
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }
}
