package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The health of a client and its store, and whether the store must be up at the start. */
@Timeout(60)
class HealthTest {

  private final HoldScene scene = new HoldScene();

  @Test
  void aStoreThatRepliesIsUpThoughNothingWasEverRequested() {
    Health health = scene.client.health();
    assertThat(health.status()).isEqualTo(Health.Status.UP);
    assertThat(health.detail()).isEqualTo("memory: replies");
    assertThat(health.lastAnswer()).contains(Duration.ZERO);
    assertThat(scene.engine.count(ScriptedEngine.Kind.RENEW)).isEqualTo(1);
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void aStoreThatRepliedRecentlyIsNotAskedAgain() throws Exception {
    scene.take("a").release();
    scene.world.advance(Duration.ofSeconds(4));
    assertThat(scene.client.health().status()).isEqualTo(Health.Status.UP);
    assertThat(scene.client.health().lastAnswer()).contains(Duration.ofSeconds(4));
    assertThat(scene.renewals()).isZero();
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(scene.client.health().status()).isEqualTo(Health.Status.UP);
    assertThat(scene.renewals()).isEqualTo(1);
  }

  @Test
  void aStoreThatDoesNotReplyIsDownAndUpAgainWhenItDoes() {
    ScriptedEngine.Rule down = scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    Health health = scene.client.health();
    assertThat(health.status()).isEqualTo(Health.Status.DOWN);
    assertThat(health.detail()).isEqualTo("memory: does not reply: connection refused");
    assertThat(health.lastAnswer()).isEmpty();
    down.end();
    assertThat(scene.client.health().status()).isEqualTo(Health.Status.UP);
  }

  @Test
  void aStoreThatIsBusyOrRefusesIsNotDown() throws Exception {
    Hold rivals = scene.rivalsLock("a").tryAcquire().orElseThrow();
    assertThat(scene.lock("a").tryAcquire()).isEmpty();
    assertThat(scene.client.health().status()).isEqualTo(Health.Status.UP);
    rivals.release();
  }

  @Test
  void itCountsWhatIsHeldAndWhoWaits() throws Exception {
    Hold held = scene.take("a");
    assertThat(scene.client.health().held()).isEqualTo(1);
    assertThat(scene.client.health().waiting()).isZero();
    CompletableFuture<Hold> one = scene.lock("a").acquireAsync(Duration.ofHours(1));
    CompletableFuture<Hold> two = scene.lock("a").acquireAsync(Duration.ofHours(1));
    Hold fifo = scene.take(Primitive.FIFO, "b");
    CompletableFuture<Hold> three =
        Primitive.FIFO.of(scene.view(), "b").acquireAsync(Duration.ofHours(1));
    assertThat(scene.client.health().held()).isEqualTo(2);
    assertThat(scene.client.health().waiting()).isEqualTo(3);
    one.cancel(true);
    two.cancel(true);
    three.cancel(true);
    held.release();
    fifo.release();
    assertThat(scene.client.health().held()).isZero();
    assertThat(scene.client.health().waiting()).isZero();
  }

  @Test
  void aClosedClientSaysSoWithoutAsking() {
    scene.client.close(Duration.ZERO);
    Health health = scene.client.health();
    assertThat(health.status()).isEqualTo(Health.Status.CLOSED);
    assertThat(health.detail()).isEqualTo("client of memory: is closed");
    assertThat(scene.renewals()).isZero();
  }

  @Test
  void overHungLanesTheQuestionIsBoundedByTheOperationTimeout() {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Gate gate = engine.next(ScriptedEngine.Kind.RENEW, Gate.beforeEffect());
    Caller<Health> asked = Caller.start(holdfast::health);
    gate.awaitEntered();
    world.awaitParked(asked.thread());
    world.advance(Duration.ofMillis(2_500));
    assertThat(asked.result().status()).isEqualTo(Health.Status.DOWN);
    gate.open();
    holdfast.close();
  }

  @Test
  void failingFastMeansThatTheStoreMustReplyAtTheStart() {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    ScriptedEngine.Rule down = engine.always(ScriptedEngine.Kind.CONNECT, Faults.down());
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withFailFast(true);
    assertThatThrownBy(() -> Holdfast.open(engine, options, world))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContainingAll("scripted:", "failFast");
    Await.until("no thread is left", () -> world.liveThreads().isEmpty());
    assertThat(engine.isClosed()).isTrue();
    down.end();
    Holdfast holdfast = Holdfast.open(engine, options, world);
    assertThat(holdfast.health().status()).isEqualTo(Health.Status.UP);
    holdfast.close();
  }

  @Test
  void theLeaseOfASessionIsSharedAndAnotherIsRefused() throws Exception {
    TestWorld world = new TestWorld().drive();
    ScriptedEngine engine = ScriptedEngine.on(world).withSessionLease(Duration.ofSeconds(12));
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Hold hold = holdfast.lock("a").acquire(Duration.ofSeconds(1));
    assertThat(hold.remaining()).isEqualTo(Duration.ofMillis(11_300));
    assertThatThrownBy(() -> holdfast.with(o -> o.withLease(Duration.ofSeconds(20))))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContainingAll("scripted:", "12 s", "lease=20 s");
    assertThatThrownBy(() -> holdfast.with(o -> o.withFixedLease(Duration.ofSeconds(30))))
        .isInstanceOf(LockRefusedException.class);
    assertThat(holdfast.with(o -> o.withText("another label")).lock("b").tryAcquire()).isPresent();
  }
}
