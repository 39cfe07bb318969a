package io.holdfast.tck.conformance;

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
interface LeaveChapter {

  Duration WAIT = Duration.ofHours(1);
  Duration SHORT = Duration.ofSeconds(1);
  int INTERRUPTS = 100;

  @EveryMutexKind
  default void u04_a_timed_out_waiter_leaves_the_line(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "timeout");
    DistributedLock mine = kind.lock(fixture.apiClient().holdfast(), "timeout");
    DistributedLock theirs = kind.lock(fixture.apiClient().holdfast(), "timeout");
    Hold hold = mine.acquire(WAIT);
    long begin = fixture.time().now();
    BackgroundTask<Optional<Hold>> waits = fixture.run("waits", () -> theirs.tryAcquire(SHORT));
    assertThat(waits.result(SHORT.plusMillis(200))).isEmpty();
    assertThat(waits.endedAt() - begin).isGreaterThanOrEqualTo(SHORT.toNanos());
    fixture.awaitTickets("timeout", 1 + kind.fillerTickets());
    nextGetsIn(fixture, kind, "timeout", hold);
  }

  @EveryMutexKind
  default void u34_a_timeout_names_the_holder(KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "names");
    ApiClient holder = fixture.apiClient(options -> options.withText("the holder"));
    DistributedLock mine = kind.lock(holder.holdfast(), "names");
    DistributedLock theirs = kind.lock(fixture.apiClient().holdfast(), "names");
    Hold hold = mine.acquire(WAIT);
    BackgroundTask<Hold> waits = fixture.run("waits", () -> theirs.acquire(SHORT));
    Throwable failure = waits.awaitEnd(SHORT.plusMillis(200)).failure();
    assertThat(failure).isInstanceOf(LockTimeoutException.class).hasMessageContaining("names");
    if (kind != MutexKind.LAST_PERMIT) {
      ((LockTimeoutException) failure)
          .holder()
          .ifPresent(owner -> assertThat(owner.text()).isEqualTo("the holder"));
    }
    hold.release();
  }

  @EveryMutexKind
  default void u04_an_interrupted_waiter_leaves_the_line(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "interrupt");
    ApiClient waiting = fixture.apiClient();
    Hold hold = kind.lock(fixture.apiClient().holdfast(), "interrupt").acquire(WAIT);
    BackgroundTask<Hold> waits =
        fixture.run("waits", () -> kind.lock(waiting.holdfast(), "interrupt").acquire(WAIT));
    fixture.time().until("a waiter in line", fixture.soon(), () -> waiting.waits("interrupt") > 0);
    waits.interrupt();
    assertThat(waits.awaitEnd(SHORT).failure()).isInstanceOf(InterruptedException.class);
    fixture.awaitTickets("interrupt", 1 + kind.fillerTickets());
    nextGetsIn(fixture, kind, "interrupt", hold);
  }

  @EveryMutexKind
  default void u62_an_uninterruptible_lock_keeps_waiting_and_keeps_the_interrupt_flag(
      KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "flag");
    ApiClient waiting = fixture.apiClient();
    Hold hold = kind.lock(fixture.apiClient().holdfast(), "flag").acquire(WAIT);
    BackgroundTask<Boolean> waits =
        fixture.run("waits", () -> lockThroughInterrupt(kind.lock(waiting.holdfast(), "flag")));
    fixture.time().until("a waiter in line", fixture.soon(), () -> waiting.waits("flag") > 0);
    waits.interrupt();
    fixture.time().pass(SHORT);
    assertThat(waits.hasEnded()).as("ended by the interrupt").isFalse();
    hold.release();
    assertThat(waits.result(fixture.soon())).as("interrupt flag").isTrue();
    fixture.awaitTickets("flag", kind.fillerTickets());
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

  @EveryMutexKind
  default void u04_a_cancelled_waiter_leaves_the_line(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "cancel");
    ApiClient waiting = fixture.apiClient();
    Hold hold = kind.lock(fixture.apiClient().holdfast(), "cancel").acquire(WAIT);
    CompletableFuture<Hold> future = kind.lock(waiting.holdfast(), "cancel").acquireAsync(WAIT);
    fixture.time().until("a waiter in line", fixture.soon(), () -> waiting.waits("cancel") > 0);
    assertThat(future.cancel(false)).isTrue();
    fixture.awaitTickets("cancel", 1 + kind.fillerTickets());
    nextGetsIn(fixture, kind, "cancel", hold);
  }

  @EveryMutexKind
  default void a_body_that_throws_releases_the_lock(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "throws");
    DistributedLock lock = kind.lock(fixture.apiClient().holdfast(), "throws");
    IllegalStateException mine = new IllegalStateException("the body's own");
    assertThatThrownBy(
            () ->
                lock.call(
                    WAIT,
                    hold -> {
                      throw mine;
                    }))
        .isSameAs(mine);
    fixture.awaitTickets("throws", kind.fillerTickets());
  }

  @EveryMutexKind
  default void a_closed_client_leaves_the_line(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "close");
    ApiClient waiting = fixture.apiClient();
    Hold hold = kind.lock(fixture.apiClient().holdfast(), "close").acquire(WAIT);
    BackgroundTask<Hold> waits =
        fixture.run("waits", () -> kind.lock(waiting.holdfast(), "close").acquire(WAIT));
    fixture.time().until("a waiter in line", fixture.soon(), () -> waiting.waits("close") > 0);
    waiting.holdfast().close(Duration.ZERO);
    assertThat(waits.awaitEnd(SHORT).failure()).isInstanceOf(HoldfastClosedException.class);
    fixture.awaitTickets("close", 1 + kind.fillerTickets());
    nextGetsIn(fixture, kind, "close", hold);
  }

  @EveryMutexKind
  default void u19_a_closed_client_releases_its_holds(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "deploy");
    ApiClient old = fixture.apiClient();
    Hold hold = kind.lock(old.holdfast(), "deploy").acquire(WAIT);
    DistributedLock next = kind.lock(fixture.apiClient().holdfast(), "deploy");
    old.holdfast().close(Duration.ZERO);
    assertThat(hold.isHeld()).isFalse();
    try (Hold taken = next.tryAcquire(fixture.soon()).orElseThrow()) {
      assertThat(taken.token()).isGreaterThan(hold.token());
    }
  }

  @EveryMutexKind
  default void u04_an_interrupt_at_any_moment_leaves_nothing_behind(
      KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "any moment");
    ApiClient one = fixture.apiClient();
    ApiClient two = fixture.apiClient();
    int in = 0;
    for (int i = 0; i < INTERRUPTS; i++) {
      BackgroundTask<Boolean> first = fixture.run("first", () -> lockAndUnlock(kind, one));
      BackgroundTask<Boolean> second = fixture.run("second", () -> lockAndUnlock(kind, two));
      for (int spin = fixture.random().nextInt(20_000); spin > 0; spin--) {
        Thread.onSpinWait();
      }
      second.interrupt();
      in += second.result(Duration.ofSeconds(10)) ? 1 : 0;
      assertThat(first.result(Duration.ofSeconds(10))).isTrue();
      fixture.awaitTickets("any moment", kind.fillerTickets());
    }
    KitOutput.print(in + " of " + INTERRUPTS + " interrupted acquires got in, " + kind);
  }

  private static boolean lockAndUnlock(MutexKind kind, ApiClient client) {
    try (Hold hold = kind.lock(client.holdfast(), "any moment").acquire(WAIT)) {
      hold.ensureHeld();
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private static void nextGetsIn(KitFixture fixture, MutexKind kind, String name, Hold holder)
      throws Exception {
    ApiClient next = fixture.apiClient();
    BackgroundTask<Hold> waits =
        fixture.run("next", () -> kind.lock(next.holdfast(), name).acquire(WAIT));
    fixture.time().until("the next waiter in line", fixture.soon(), () -> next.waits(name) > 0);
    holder.release();
    try (Hold hold = waits.result(fixture.soon())) {
      assertThat(hold.token()).isGreaterThan(holder.token());
    }
    fixture.awaitTickets(name, kind.fillerTickets());
  }
}
