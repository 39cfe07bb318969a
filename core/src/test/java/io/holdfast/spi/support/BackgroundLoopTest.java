package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without a single measured time: pauses last until they are ended. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackgroundLoopTest {

  private final List<Thread> threads = new ArrayList<>();
  private final Semaphore steps = new Semaphore(0);

  private Thread thread(Runnable body) {
    Thread thread = new Thread(body);
    threads.add(thread);
    return thread;
  }

  private BackgroundLoop loop(BackgroundLoop.Step step) {
    return new BackgroundLoop("holdfast-test", this::thread, step);
  }

  private void awaitEnd() throws InterruptedException {
    threads.get(0).join();
  }

  @Test
  void theFirstStepComesAtOnceAndTheThreadIsANamedDaemon() throws Exception {
    AtomicReference<Thread> runner = new AtomicReference<>();
    BackgroundLoop loop =
        loop(
            () -> {
              runner.set(Thread.currentThread());
              return BackgroundLoop.STOP;
            });
    assertThat(threads).isEmpty();
    loop.start();
    awaitEnd();
    assertThat(runner.get()).isSameAs(threads.get(0));
    assertThat(runner.get().isDaemon()).isTrue();
    assertThat(runner.get().getName()).isEqualTo("holdfast-test");
  }

  @Test
  void stepsRepeatUntilOneStops() throws Exception {
    AtomicInteger count = new AtomicInteger();
    loop(() -> count.incrementAndGet() < 5 ? count.get() % 2 : BackgroundLoop.STOP).start();
    awaitEnd();
    assertThat(count.get()).isEqualTo(5);
  }

  @Test
  void whatIsOpenIsClosedAfterTheLastStepHoweverTheLoopEnds() throws Exception {
    List<String> log = new ArrayList<>();
    for (boolean stops : List.of(true, false)) {
      threads.clear();
      log.clear();
      BackgroundLoop loop =
          new BackgroundLoop(
              "holdfast-test",
              this::thread,
              () -> {
                log.add("step");
                steps.release();
                return stops ? BackgroundLoop.STOP : BackgroundLoop.UNTIL_WOKEN;
              },
              () -> log.add("end of " + Thread.currentThread().getName()));
      loop.start();
      steps.acquire();
      loop.close();
      awaitEnd();
      assertThat(log).containsExactly("step", "end of holdfast-test");
    }
  }

  @Test
  void aWakeEndsAPauseWithoutEnd() throws Exception {
    try (BackgroundLoop loop =
        loop(
            () -> {
              steps.release();
              return BackgroundLoop.UNTIL_WOKEN;
            })) {
      loop.start();
      for (int i = 0; i < 100; i++) {
        steps.acquire();
        loop.wake();
      }
      steps.acquire();
    }
    awaitEnd();
  }

  @Test
  void aWakeEndsATimedPause() throws Exception {
    try (BackgroundLoop loop =
        loop(
            () -> {
              steps.release();
              return TimeUnit.DAYS.toNanos(1);
            })) {
      loop.start();
      steps.acquire();
      loop.wake();
      steps.acquire();
    }
    awaitEnd();
  }

  @Test
  void aWakeDuringAStepIsNotLost() throws Exception {
    CountDownLatch woken = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    BackgroundLoop loop =
        loop(
            () -> {
              if (count.incrementAndGet() == 2) {
                return BackgroundLoop.STOP;
              }
              steps.release();
              awaitQuietly(woken);
              return BackgroundLoop.UNTIL_WOKEN;
            });
    loop.start();
    steps.acquire();
    loop.wake();
    woken.countDown();
    awaitEnd();
    assertThat(count.get()).isEqualTo(2);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void closeEndsAPause() throws Exception {
    BackgroundLoop loop =
        loop(
            () -> {
              steps.release();
              return BackgroundLoop.UNTIL_WOKEN;
            });
    loop.start();
    steps.acquire();
    loop.close();
    awaitEnd();
    assertThat(loop.isClosed()).isTrue();
    assertThat(steps.availablePermits()).isZero();
  }

  @Test
  void noStepBeginsAfterClose() throws Exception {
    BackgroundLoop[] self = new BackgroundLoop[1];
    AtomicInteger count = new AtomicInteger();
    self[0] =
        loop(
            () -> {
              count.incrementAndGet();
              self[0].close();
              self[0].wake();
              return 0;
            });
    self[0].start();
    awaitEnd();
    assertThat(count.get()).isEqualTo(1);
  }

  @Test
  void aClosedLoopDoesNotStart() {
    BackgroundLoop loop = loop(() -> BackgroundLoop.STOP);
    loop.close();
    loop.start();
    assertThat(threads).isEmpty();
  }

  @Test
  void startingTwiceStartsOneThread() throws Exception {
    BackgroundLoop loop = loop(() -> BackgroundLoop.UNTIL_WOKEN);
    loop.start();
    loop.start();
    assertThat(threads).hasSize(1);
    loop.close();
    awaitEnd();
  }

  @Test
  void aStepThatThrowsRunsAgain() throws Exception {
    AtomicInteger count = new AtomicInteger();
    BackgroundLoop loop =
        loop(
            () -> {
              steps.release();
              if (count.incrementAndGet() == 1) {
                throw new IllegalStateException("thrown by a test");
              }
              return BackgroundLoop.STOP;
            });
    loop.start();
    steps.acquire();
    loop.wake();
    awaitEnd();
    assertThat(count.get()).isEqualTo(2);
  }

  @Test
  void anInterruptEndsAPauseAndIsCleared() throws Exception {
    AtomicInteger count = new AtomicInteger();
    List<Boolean> flags = new ArrayList<>();
    BackgroundLoop loop =
        loop(
            () -> {
              flags.add(Thread.currentThread().isInterrupted());
              steps.release();
              return count.incrementAndGet() == 2
                  ? BackgroundLoop.STOP
                  : BackgroundLoop.UNTIL_WOKEN;
            });
    loop.start();
    steps.acquire();
    threads.get(0).interrupt();
    awaitEnd();
    assertThat(flags).containsExactly(false, false);
  }

  @Test
  void aThreadThatCannotBeMadeIsTriedAgain() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    BackgroundLoop loop =
        new BackgroundLoop(
            "holdfast-test",
            body -> {
              if (tries.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread: a test");
              }
              return thread(body);
            },
            () -> BackgroundLoop.STOP);
    assertThatThrownBy(loop::start).isInstanceOf(OutOfMemoryError.class);
    loop.start();
    awaitEnd();
    assertThat(tries.get()).isEqualTo(2);
  }
}
