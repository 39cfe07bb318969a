package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U19. A client that closes under load, in real time: every claim has left, whoever was where. */
@Timeout(60)
class U19ClosingRaceTest {

  private static final int ROUNDS = 400;
  private static final int THREADS = 6;
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final World world = World.system();

  @ParameterizedTest
  @EnumSource
  void nothingIsLeftOfAClientThatClosesUnderLoad(Order order) throws Exception {
    closeUnderLoad(order, /* drain= */ true);
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLeftOfAClientThatClosesUndrained(Order order) throws Exception {
    closeUnderLoad(order, /* drain= */ false);
  }

  /** The mark would be lost with the lane, and another client might run again. */
  @Test
  void aRunThatIsBeingMarkedIsWaitedFor() throws Exception {
    ScriptedEngine engine = ScriptedEngine.on(world).blocking();
    Gate gate = engine.next(ScriptedEngine.Kind.SETTLE, Gate.beforeEffect());
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Once once = holdfast.once("report", Duration.ofHours(1));
    FutureTask<Once.Result> run = new FutureTask<>(() -> once.run(WAIT, hold -> {}));
    new Thread(run, "run").start();
    gate.awaitEntered();
    Thread closer = new Thread(() -> holdfast.close(Duration.ZERO), "closer");
    closer.start();
    Await.until(
        "the closer waits or is done",
        () -> closer.getState() == Thread.State.TIMED_WAITING || !closer.isAlive());
    assertThat(engine.isClosed()).isFalse();
    gate.open();
    assertThat(run.get(20, TimeUnit.SECONDS)).isEqualTo(Once.Result.RAN);
    closer.join();
    assertThat(engine.isClosed()).isTrue();
  }

  private void closeUnderLoad(Order order, boolean drain) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      ScriptedEngine engine = ScriptedEngine.on(world).blocking();
      Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS.withOrder(order), world);
      CountDownLatch busy = new CountDownLatch(THREADS);
      List<FutureTask<Void>> load = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String name = "n" + i % 3;
        FutureTask<Void> task = new FutureTask<>(() -> takeTurns(holdfast, name, busy));
        new Thread(task, "load").start();
        load.add(task);
      }
      assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(!drain || holdfast.drain(WAIT)).isTrue();
      holdfast.close(Duration.ZERO);
      for (FutureTask<Void> each : load) {
        each.get(20, TimeUnit.SECONDS);
      }
      assertThat(engine.lines()).as("round %d", round).isEmpty();
    }
  }

  private static Void takeTurns(Holdfast holdfast, String name, CountDownLatch busy)
      throws InterruptedException {
    try {
      while (true) {
        holdfast.lock(name).acquire(WAIT).release();
        busy.countDown();
      }
    } catch (HoldfastClosedException e) {
      return null; // As it should be.
    }
  }
}
