package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U39. A hold that no thread can release any more is released and reported once. */
@Timeout(60)
class U39AbandonedHoldTest {

  private static final Duration PERIOD = Duration.ofSeconds(11);

  private final HoldScene scene = new HoldScene();
  private final Logs logs = new Logs();

  @AfterEach
  void closeTheLogs() {
    logs.close();
  }

  private void takeAndForget(Primitive primitive) throws InterruptedException {
    assertThat(scene.take(primitive, "a").isHeld()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void u39AHandleThatBecameUnreachableIsNotRenewedForEver(Primitive primitive) throws Exception {
    takeAndForget(primitive);
    for (int i = 0; i < 50 && !scene.engine.lines().isEmpty(); i++) {
      System.gc();
      scene.world.advance(PERIOD);
    }
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.client.renewals().size()).isZero();
    assertThat(scene.client.localLines().size()).isZero();
    scene.world.advance(Duration.ofHours(1));
    assertThat(logs.with("no thread can release a any more"))
        .singleElement()
        .asString()
        .contains("WARNING", "acquired by thread " + Thread.currentThread().getName());
    assertThat(scene.events(HoldfastListener.Lost.class))
        .singleElement()
        .satisfies(lost -> assertThat(lost.cause()).isEqualTo(Loss.Cause.ABANDONED));
  }

  @Test
  void aHandleThatIsKeptIsKept() throws Exception {
    HoldHandle kept = scene.take("a");
    for (int i = 0; i < 5; i++) {
      System.gc();
      scene.world.advance(PERIOD);
    }
    assertThat(kept.isHeld()).isTrue();
    assertThat(logs.with("no thread can release")).isEmpty();
    kept.release();
  }

  @Test
  void aHoldIsNotBoundToTheThreadThatTookIt() throws Exception {
    HoldHandle hold = Caller.start(() -> scene.take("a")).result();
    scene.world.advance(Duration.ofMinutes(5));
    assertThat(hold.isHeld()).isTrue();
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
  }

  @Test
  void u39AThreadThatDiesWithAJavaLockGivesItBackWithinOneRenewalPeriod() {
    Lock lock = scene.lock("a").asJavaLock();
    Caller<Void> dies =
        Caller.start(
            () -> {
              lock.lock();
              return null;
            });
    dies.result();
    assertThat(scene.engine.tickets("a")).hasSize(1);
    scene.world.advance(PERIOD);
    assertThat(scene.engine.lines()).isEmpty();
    scene.world.advance(Duration.ofHours(1));
    assertThat(logs.with("no thread can release a any more")).hasSize(1);
    assertThat(scene.events(HoldfastListener.Lost.class))
        .singleElement()
        .satisfies(lost -> assertThat(lost.cause()).isEqualTo(Loss.Cause.ABANDONED));
    assertThat(lock.tryLock()).isTrue();
    lock.unlock();
  }

  @Test
  void u30AThreadThatDiesWithAJavaLockLeavesNothingInTheClient() {
    for (int i = 0; i < 10; i++) {
      Lock lock = scene.lock("n" + i).asJavaLock();
      Caller.start(
              () -> {
                lock.lock();
                return null;
              })
          .result();
    }
    assertThat(RuntimeInternals.threadHolds(scene.client)).hasSize(10);
    scene.world.advance(PERIOD);
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(RuntimeInternals.threadHolds(scene.client)).isEmpty();
  }

  @Test
  void onAStoreThatBlocksTheReportSaysWhereItWasTaken() {
    TestWorld world = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    Client client = Client.open(engine, HoldfastOptions.DEFAULTS, world);
    Lock lock = Primitive.ANY.of(client.view(client.options()), "a").asJavaLock();
    Caller.start(
            () -> {
              lock.lock();
              return null;
            })
        .result();
    world.advance(PERIOD);
    List<String> report = logs.with("no thread can release a any more");
    assertThat(report).singleElement().asString().contains("at java.base/java.lang.Thread.run");
    Await.until("it was given back", () -> engine.lines().isEmpty());
  }
}
