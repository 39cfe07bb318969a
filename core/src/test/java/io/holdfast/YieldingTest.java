package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A client whose threads hand a mutex over yields to other clients that want it. */
class YieldingTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration WORK = Duration.ofMillis(1);

  private final TestWorld world = new TestWorld();

  /** A client with two workers that take the mutex again and again, in simulated time. */
  private final class Busy {
    final Client client;
    int holds;
    boolean stopped;

    Busy(ScriptedEngine engine, int workers) {
      client = Client.open(engine, HoldfastOptions.DEFAULTS, world);
      for (int i = 0; i < workers; i++) {
        ask();
      }
    }

    private void ask() {
      if (!stopped) {
        var unused =
            Primitive.ANY
                .of(client.view(client.options()), "a")
                .acquireAsync(LONG)
                .thenAccept(this::work);
      }
    }

    private void work(Hold hold) {
      holds++;
      world.schedule(
          WORK.toNanos(),
          () -> {
            ((HoldHandle) hold).holdState().release(outcome -> {});
            ask();
          });
    }
  }

  private CompletableFuture<Hold> lone(ScriptedEngine engine) {
    Client client = Client.open(engine, HoldfastOptions.DEFAULTS, world);
    return Primitive.ANY.of(client.view(client.options()), "a").acquireAsync(LONG);
  }

  /** How long a lone rival of a busy client waits, at worst of twenty beginnings. */
  private Duration longestWait(UnaryOperator<ScriptedEngine> engine) throws Exception {
    ScriptedEngine shared = engine.apply(ScriptedEngine.on(world));
    Busy busy = new Busy(shared, 2);
    Duration longest = Duration.ZERO;
    for (int i = 0; i < 20; i++) {
      world.advanceMillis(533 + i);
      Duration from = world.elapsed();
      CompletableFuture<Hold> rivals = lone(shared.rival());
      for (int j = 0; j < 5_000 && !rivals.isDone(); j++) {
        world.advanceMillis(1);
      }
      Duration waited = world.elapsed().minus(from);
      longest = waited.compareTo(longest) > 0 ? waited : longest;
      rivals.get().release();
    }
    assertThat(busy.holds).isGreaterThan(1_000);
    System.out.println("longest wait of a lone rival: " + longest);
    return longest;
  }

  @Test
  void whereWaitersAreSignalledALoneRivalIsInWithinASliceAndATurn() throws Exception {
    assertThat(longestWait(engine -> engine)).isLessThanOrEqualTo(Duration.ofMillis(25));
  }

  @Test
  void whereTheStoreKeepsNoTurnALoneRivalIsInWithinASliceAndATurnToo() throws Exception {
    assertThat(longestWait(ScriptedEngine::withoutReservation))
        .isLessThanOrEqualTo(Duration.ofMillis(25));
  }

  @Test
  void whereWaitersPollALoneRivalIsInWithinTwoSeconds() throws Exception {
    assertThat(longestWait(ScriptedEngine::polling)).isLessThanOrEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void aClientThatGaveWayStaysOutWhereTheStoreKeepsNoTurn() throws Exception {
    ScriptedEngine shared = ScriptedEngine.on(world).withoutReservation();
    Busy busy = new Busy(shared, 2);
    world.advanceMillis(100);
    CompletableFuture<Hold> rivals = lone(shared.rival());
    int leaves = shared.count(ScriptedEngine.Kind.LEAVE);
    for (int i = 0; i < 100 && shared.count(ScriptedEngine.Kind.LEAVE) == leaves; i++) {
      world.advanceMillis(1);
    }
    int attempts = shared.count(ScriptedEngine.Kind.ATTEMPT);
    world.advanceMillis(38);
    assertThat(shared.count(ScriptedEngine.Kind.ATTEMPT)).isEqualTo(attempts);
    assertThat(rivals).isCompletedWithValueMatching(Hold::isHeld);
    world.advanceMillis(5);
    assertThat(shared.count(ScriptedEngine.Kind.ATTEMPT)).isGreaterThan(attempts);
    rivals.get().release();
    int holds = busy.holds;
    world.advanceMillis(100);
    assertThat(busy.holds).isGreaterThan(holds);
  }

  @Test
  void aClientWithoutRivalsNeverLeavesBeforeItMust() {
    ScriptedEngine engine = ScriptedEngine.on(world);
    Busy busy = new Busy(engine, 2);
    world.advance(Duration.ofSeconds(1));
    assertThat(busy.holds).isGreaterThan(900);
    assertThat(engine.count(ScriptedEngine.Kind.LEAVE)).isZero();
  }

  @Test
  void twoBusyClientsGetEqualShares() {
    equalShares(engine -> engine);
  }

  @Test
  void twoBusyClientsGetEqualSharesWhereTheStoreKeepsNoTurn() {
    equalShares(ScriptedEngine::withoutReservation);
  }

  @Test
  void twoBusyClientsGetEqualSharesWhereTheyPoll() {
    equalShares(ScriptedEngine::polling);
  }

  private void equalShares(UnaryOperator<ScriptedEngine> engine) {
    ScriptedEngine shared = engine.apply(ScriptedEngine.on(world));
    Busy one = new Busy(shared, 3);
    Busy other = new Busy(shared.rival(), 3);
    for (int i = 0; i < 600; i++) {
      world.advanceMillis(100);
    }
    System.out.println("shares of a minute: " + one.holds + " and " + other.holds);
    assertThat(one.holds + other.holds).isGreaterThan(20_000);
    assertThat((double) one.holds / other.holds).isBetween(0.5, 2.0);
  }

  @Test
  void aWaiterThatTimesOutWhileItsClientStaysOutGetsBusy() throws Exception {
    ScriptedEngine shared = ScriptedEngine.on(world).polling();
    Client client = Client.open(shared, HoldfastOptions.DEFAULTS, world);
    DistributedLock lock = Primitive.ANY.of(client.view(client.options()), "a");
    Hold held = lock.tryAcquire().orElseThrow();
    CompletableFuture<Hold> rivals = lone(shared.rival());
    CompletableFuture<Hold> first = lock.acquireAsync(LONG);
    world.advance(Duration.ofMillis(700));
    held.release();
    world.runCallbacks();
    // The store was asked at the hand-over and reported another waiter: the next leave yields.
    CompletableFuture<Hold> waiter = lock.acquireAsync(Duration.ofMillis(200));
    first.get().release();
    world.advanceMillis(200);
    assertThat(waiter)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(LockTimeoutException.class);
    world.advance(Duration.ofSeconds(1));
    assertThat(rivals).isCompletedWithValueMatching(Hold::isHeld);
  }
}
