package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockLostException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.util.CheckedRunnable;

/** What Spring Integration expects of locks, between two machines on a real Redis. */
@Timeout(30)
@SuppressWarnings("LockNotBeforeTry") // Each call is tested by itself.
class LockRegistryIT {

  private static final Duration LONG = Duration.ofSeconds(20);

  private static RedisServer redis;

  private final Holdfast here = Holdfast.connect(redis.uri());
  private final Holdfast there = Holdfast.connect(redis.uri());
  private final HoldfastLockRegistry registry = new HoldfastLockRegistry(here, "si/");
  private final HoldfastLockRegistry other = new HoldfastLockRegistry(there, "si/");

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @AfterEach
  void nothingIsLeft() {
    try {
      assertThat(here.stats().held()).isZero();
      assertThat(there.stats().held()).isZero();
    } finally {
      here.close();
      there.close();
    }
  }

  private static <T> T onAnotherThread(Callable<T> body) throws Exception {
    FutureTask<T> task = new FutureTask<>(body);
    new Thread(task).start();
    return task.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void twoMachinesExcludeEachOther() throws Exception {
    Lock mine = registry.obtain("a");
    mine.lock();
    assertThat(other.obtain("a").tryLock()).isFalse();
    assertThat(other.obtain("a").tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(other.obtain("b").tryLock()).isTrue();
    other.obtain("b").unlock();
    mine.unlock();
    assertThat(other.obtain("a").tryLock(20, TimeUnit.SECONDS)).isTrue();
    other.obtain("a").unlock();
  }

  @Test
  void countersOfTwoMachinesLoseNoUpdate() throws Exception {
    AtomicInteger counter = new AtomicInteger();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (HoldfastLockRegistry each : List.of(registry, other, registry, other)) {
      all.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 50; i++) {
                  Lock lock = each.obtain("counter");
                  lock.lock();
                  try {
                    int seen = counter.get();
                    Thread.onSpinWait();
                    counter.set(seen + 1);
                  } finally {
                    lock.unlock();
                  }
                }
              },
              task -> new Thread(task).start()));
    }
    CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .get(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(counter.get()).isEqualTo(200);
  }

  @Test
  void locksAreReentrantHoweverTheyAreObtained() throws Exception {
    registry.obtain("a").lock();
    assertThat(registry.obtain("a").tryLock()).isTrue();
    new HoldfastLockRegistry(here, "si/").obtain("a").lockInterruptibly();
    long token = registry.hold("a").token();
    registry.obtain("a").unlock();
    registry.obtain("a").unlock();
    assertThat(registry.isHeldByCurrentThread("a")).isTrue();
    assertThat(registry.hold("a").token()).isEqualTo(token);
    assertThat(other.obtain("a").tryLock()).isFalse();
    registry.obtain("a").unlock();
    assertThat(registry.isHeldByCurrentThread("a")).isFalse();
    assertThatThrownBy(() -> registry.hold("a")).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void onlyTheThreadThatLockedMayUnlock() throws Exception {
    Lock lock = registry.obtain("a");
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    lock.lock();
    Throwable thrown =
        onAnotherThread(
            () -> {
              assertThat(registry.isHeldByCurrentThread("a")).isFalse();
              assertThat(lock.tryLock()).isFalse();
              try {
                lock.unlock();
                return null;
              } catch (RuntimeException e) {
                return e;
              }
            });
    assertThat(thrown).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(registry.isHeldByCurrentThread("a")).isTrue();
    lock.unlock();
  }

  @Test
  void aLossIsReportedByUnlock() throws Exception {
    Lock lock = registry.obtain("a");
    lock.lock();
    registry.renewLock("a");
    evict("si/a", registry.hold("a").token());
    Await.until("the loss", LONG, () -> !registry.isHeldByCurrentThread("a"));
    assertThatThrownBy(() -> registry.renewLock("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("could not renew si/a");
    assertThatThrownBy(lock::unlock)
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageStartingWith("si/a was lost before it was unlocked")
        .hasCauseInstanceOf(LockLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
    lock.unlock();
  }

  @Test
  void aLostLockIsNotLockedOnceMoreByItsThread() throws Exception {
    Lock lock = registry.obtain("a");
    lock.lock();
    evict("si/a", registry.hold("a").token());
    Await.until("the loss", LONG, () -> !registry.isHeldByCurrentThread("a"));
    assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS))
        .isInstanceOf(CannotAcquireLockException.class)
        .hasMessageStartingWith("failed to lock si/a")
        .hasCauseInstanceOf(LockLostException.class);
    lock.unlock();
    assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
    lock.unlock();
  }

  private void evict(String name, long token) throws Exception {
    there.inspector().orElseThrow().evict(new Resource("default", name), token, "test");
  }

  @Test
  void anInterruptEndsTheWaitAndLeavesNothing() throws Exception {
    registry.obtain("a").lock();
    FutureTask<Boolean> interrupted =
        new FutureTask<>(
            () -> {
              try {
                other.obtain("a").lockInterruptibly();
                return false;
              } catch (InterruptedException e) {
                return true;
              }
            });
    Thread waiter = new Thread(interrupted);
    waiter.start();
    Await.until("the waiter", LONG, () -> there.stats().waiting() == 1);
    waiter.interrupt();
    assertThat(interrupted.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    registry.obtain("a").unlock();
    assertThat(registry.obtain("a").tryLock(20, TimeUnit.SECONDS)).isTrue();
    registry.obtain("a").unlock();
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // Generic on the newer line only.
  void bodiesRunUnderTheLock() throws Throwable {
    CheckedRunnable<Exception> body =
        () -> assertThat(registry.isHeldByCurrentThread("a")).isTrue();
    registry.executeLocked("a", body);
    assertThat(registry.isHeldByCurrentThread("a")).isFalse();
    other.obtain("a").lock();
    assertThatThrownBy(() -> registry.executeLocked("a", Duration.ofMillis(50), body))
        .isInstanceOf(TimeoutException.class);
    other.obtain("a").unlock();
  }

  @Test
  void aStoreThatDoesNotReplyIsNotABusyLock() {
    try (RedisServer down = RedisServer.start();
        Holdfast client =
            Holdfast.connect(
                down.uri(),
                HoldfastOptions.DEFAULTS.withOperationTimeout(Duration.ofMillis(300)))) {
      HoldfastLockRegistry cutOff = new HoldfastLockRegistry(client, "si/");
      cutOff.obtain("a").lock();
      cutOff.obtain("a").unlock();
      down.process().kill9();
      assertThatThrownBy(() -> cutOff.obtain("a").tryLock())
          .isInstanceOf(CannotAcquireLockException.class)
          .hasMessageStartingWith("failed to lock si/a")
          .cause()
          .isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
    }
  }
}
