package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.HoldfastClosedException;
import io.holdfast.LockTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.DisplayName;

@DisplayName("leaving")
interface Leaving {

  Duration WAIT = Duration.ofHours(1);
  Duration SHORT = Duration.ofSeconds(1);
  int INTERRUPTS = 100;

  @EveryMutex
  default void u04_one_whose_time_is_up_leaves_the_line(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "timeout");
    DistributedLock mine = dress.lock(stage.caller().holdfast(), "timeout");
    DistributedLock theirs = dress.lock(stage.caller().holdfast(), "timeout");
    Hold hold = mine.acquire(WAIT);
    long begin = stage.time().now();
    Running<Optional<Hold>> waits = stage.run("waits", () -> theirs.tryAcquire(SHORT));
    assertThat(waits.result(SHORT.plusMillis(200))).isEmpty();
    assertThat(waits.endedAt() - begin).isGreaterThanOrEqualTo(SHORT.toNanos());
    stage.onlyRemain("timeout", 1 + dress.drained());
    nextGetsIn(stage, dress, "timeout", hold);
  }

  @EveryMutex
  default void u34_a_timeout_names_the_holder(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "names");
    Caller holder = stage.caller(options -> options.withText("the one who holds"));
    DistributedLock mine = dress.lock(holder.holdfast(), "names");
    DistributedLock theirs = dress.lock(stage.caller().holdfast(), "names");
    Hold hold = mine.acquire(WAIT);
    Running<Hold> waits = stage.run("waits", () -> theirs.acquire(SHORT));
    Throwable failure = waits.ends(SHORT.plusMillis(200)).failure();
    assertThat(failure).isInstanceOf(LockTimeoutException.class).hasMessageContaining("names");
    if (dress != Dress.LAST_PERMIT) {
      ((LockTimeoutException) failure)
          .holder()
          .ifPresent(owner -> assertThat(owner.text()).isEqualTo("the one who holds"));
    }
    hold.release();
  }

  @EveryMutex
  default void u04_one_that_is_interrupted_leaves_the_line(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "interrupt");
    Caller waiting = stage.caller();
    Hold hold = dress.lock(stage.caller().holdfast(), "interrupt").acquire(WAIT);
    Running<Hold> waits =
        stage.run("waits", () -> dress.lock(waiting.holdfast(), "interrupt").acquire(WAIT));
    stage.time().until("it waits", stage.soon(), () -> waiting.waits("interrupt") > 0);
    waits.interrupt();
    assertThat(waits.ends(SHORT).failure()).isInstanceOf(InterruptedException.class);
    stage.onlyRemain("interrupt", 1 + dress.drained());
    nextGetsIn(stage, dress, "interrupt", hold);
  }

  @EveryMutex
  default void u62_an_uninterruptible_lock_waits_on_and_keeps_the_flag(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "flag");
    Caller waiting = stage.caller();
    Hold hold = dress.lock(stage.caller().holdfast(), "flag").acquire(WAIT);
    Running<Boolean> waits =
        stage.run("waits", () -> lockThroughInterrupt(dress.lock(waiting.holdfast(), "flag")));
    stage.time().until("it waits", stage.soon(), () -> waiting.waits("flag") > 0);
    waits.interrupt();
    stage.time().pass(SHORT);
    assertThat(waits.hasEnded()).as("ended by the interrupt").isFalse();
    hold.release();
    assertThat(waits.result(stage.soon())).as("interrupt flag").isTrue();
    stage.onlyRemain("flag", dress.drained());
  }

  private static boolean lockThroughInterrupt(DistributedLock lock) {
    Lock view = lock.asJavaLock();
    view.lock();
    try {
      return Thread.interrupted();
    } finally {
      view.unlock();
    }
  }

  @EveryMutex
  default void u04_one_that_is_cancelled_leaves_the_line(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "cancel");
    Caller waiting = stage.caller();
    Hold hold = dress.lock(stage.caller().holdfast(), "cancel").acquire(WAIT);
    CompletableFuture<Hold> future = dress.lock(waiting.holdfast(), "cancel").acquireAsync(WAIT);
    stage.time().until("it waits", stage.soon(), () -> waiting.waits("cancel") > 0);
    assertThat(future.cancel(false)).isTrue();
    stage.onlyRemain("cancel", 1 + dress.drained());
    nextGetsIn(stage, dress, "cancel", hold);
  }

  @EveryMutex
  default void a_body_that_throws_leaves_nothing_held(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "throws");
    DistributedLock lock = dress.lock(stage.caller().holdfast(), "throws");
    IllegalStateException mine = new IllegalStateException("the body's own");
    assertThatThrownBy(
            () ->
                lock.call(
                    WAIT,
                    hold -> {
                      throw mine;
                    }))
        .isSameAs(mine);
    stage.onlyRemain("throws", dress.drained());
  }

  @EveryMutex
  default void a_client_that_is_closed_leaves_the_line(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "close");
    Caller waiting = stage.caller();
    Hold hold = dress.lock(stage.caller().holdfast(), "close").acquire(WAIT);
    Running<Hold> waits =
        stage.run("waits", () -> dress.lock(waiting.holdfast(), "close").acquire(WAIT));
    stage.time().until("it waits", stage.soon(), () -> waiting.waits("close") > 0);
    waiting.holdfast().close(Duration.ZERO);
    assertThat(waits.ends(SHORT).failure()).isInstanceOf(HoldfastClosedException.class);
    stage.onlyRemain("close", 1 + dress.drained());
    nextGetsIn(stage, dress, "close", hold);
  }

  @EveryMutex
  default void u19_a_client_that_is_closed_frees_what_it_held(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "deploy");
    Caller old = stage.caller();
    Hold hold = dress.lock(old.holdfast(), "deploy").acquire(WAIT);
    DistributedLock next = dress.lock(stage.caller().holdfast(), "deploy");
    old.holdfast().close(Duration.ZERO);
    assertThat(hold.isHeld()).isFalse();
    try (Hold taken = next.tryAcquire(stage.soon()).orElseThrow()) {
      assertThat(taken.token()).isGreaterThan(hold.token());
    }
  }

  @EveryMutex
  default void u04_an_interrupt_at_any_moment_leaves_nothing_behind(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "any moment");
    Caller one = stage.caller();
    Caller two = stage.caller();
    int in = 0;
    for (int i = 0; i < INTERRUPTS; i++) {
      Running<Boolean> first = stage.run("first", () -> lockAndUnlock(dress, one));
      Running<Boolean> second = stage.run("second", () -> lockAndUnlock(dress, two));
      for (int spin = stage.random().nextInt(20_000); spin > 0; spin--) {
        Thread.onSpinWait();
      }
      second.interrupt();
      in += second.result(Duration.ofSeconds(10)) ? 1 : 0;
      assertThat(first.result(Duration.ofSeconds(10))).isTrue();
      stage.onlyRemain("any moment", dress.drained());
    }
    Figures.print(in + " of " + INTERRUPTS + " interrupted acquires got in, " + dress);
  }

  private static boolean lockAndUnlock(Dress dress, Caller caller) {
    try (Hold hold = dress.lock(caller.holdfast(), "any moment").acquire(WAIT)) {
      hold.ensureHeld();
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private static void nextGetsIn(Stage stage, Dress dress, String name, Hold holder)
      throws Exception {
    Caller next = stage.caller();
    Running<Hold> waits = stage.run("next", () -> dress.lock(next.holdfast(), name).acquire(WAIT));
    stage.time().until("the next waits", stage.soon(), () -> next.waits(name) > 0);
    holder.release();
    try (Hold hold = waits.result(stage.soon())) {
      assertThat(hold.token()).isGreaterThan(holder.token());
    }
    stage.onlyRemain(name, dress.drained());
  }
}
