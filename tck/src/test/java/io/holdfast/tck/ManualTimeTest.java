package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ManualTimeTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();

  @Test
  void time_stands_still_until_it_is_moved() {
    long nanos = time.nanoTime();
    long micros = time.epochMicros();
    time.advance(Duration.ZERO);
    assertThat(time.nanoTime()).isEqualTo(nanos);
    time.advance(Duration.ofMillis(1500));
    assertThat(time.nanoTime() - nanos).isEqualTo(1_500_000_000);
    assertThat(time.epochMicros() - micros).isEqualTo(1_500_000);
    assertThat(time.storeTime() - nanos).isEqualTo(1_500_000_000);
  }

  @Test
  void timers_run_in_their_order_each_at_its_own_time() {
    List<String> seen = new ArrayList<>();
    time.schedule(3, () -> seen.add("c at " + time.nanoTime()));
    time.schedule(1, () -> seen.add("a at " + time.nanoTime()));
    time.schedule(3, () -> seen.add("d at " + time.nanoTime()));
    time.schedule(2, () -> seen.add("b at " + time.nanoTime()));
    time.advance(Duration.ofNanos(2));
    assertThat(seen).containsExactly("a at 1", "b at 2");
    time.advance(SECOND);
    assertThat(seen).containsExactly("a at 1", "b at 2", "c at 3", "d at 3");
  }

  @Test
  void a_timer_that_a_timer_makes_runs_in_the_same_advance() {
    List<Long> seen = new ArrayList<>();
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          seen.add(time.nanoTime());
          time.schedule(10, again[0]);
        };
    time.schedule(10, again[0]);
    time.advance(Duration.ofNanos(35));
    assertThat(seen).containsExactly(10L, 20L, 30L);
  }

  @Test
  void a_cancelled_timer_does_not_run_even_if_it_is_due_now() {
    List<String> seen = new ArrayList<>();
    Runnable[] cancel = new Runnable[1];
    time.schedule(5, () -> cancel[0].run());
    cancel[0] = time.schedule(5, () -> seen.add("cancelled"));
    time.schedule(5, () -> seen.add("other"));
    time.advance(SECOND);
    assertThat(seen).containsExactly("other");
    cancel[0].run();
  }

  @Test
  void a_timer_without_delay_needs_nobody_who_advances() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    time.schedule(0, ran::countDown);
    ran.await();
    time.settle();
  }

  @Test
  void a_parked_thread_wakes_when_its_time_has_come_and_not_before() {
    AtomicReference<Long> woke = new AtomicReference<>();
    Thread sleeper =
        time.start(
            "sleeper",
            () -> {
              long until = time.nanoTime() + SECOND.toNanos();
              while (until - time.nanoTime() > 0) {
                time.park(this, until - time.nanoTime());
              }
              woke.set(time.nanoTime());
            });
    time.awaitParked(sleeper);
    time.advance(Duration.ofMillis(999));
    assertThat(woke).hasNullValue();
    time.advance(SECOND);
    assertThat(woke).hasValue(SECOND.toNanos());
  }

  @Test
  void threads_see_each_moment_before_time_goes_on() {
    List<String> seen = new CopyOnWriteArrayList<>();
    for (int i = 1; i <= 3; i++) {
      long until = i * 100L;
      Thread sleeper =
          time.start(
              "sleeper-" + i,
              () -> {
                while (until - time.nanoTime() > 0) {
                  time.park(this, until - time.nanoTime());
                }
                seen.add("woke at " + time.nanoTime());
              });
      time.awaitParked(sleeper);
    }
    time.schedule(150, () -> seen.add("timer at " + time.nanoTime()));
    time.advance(SECOND);
    assertThat(seen).containsExactly("woke at 100", "timer at 150", "woke at 200", "woke at 300");
  }

  @Test
  void a_thread_that_is_unparked_is_done_before_time_goes_on() {
    AtomicBoolean ready = new AtomicBoolean();
    AtomicReference<Long> saw = new AtomicReference<>();
    Thread waiter =
        time.start(
            "waiter",
            () -> {
              while (!ready.get()) {
                time.park(this, Long.MAX_VALUE);
              }
              saw.set(time.nanoTime());
            });
    time.awaitParked(1);
    time.schedule(
        10,
        () -> {
          ready.set(true);
          LockSupport.unpark(waiter);
        });
    time.advance(SECOND);
    assertThat(saw).hasValue(10L);
  }

  @Test
  void a_thread_that_waits_for_a_condition_is_done_before_time_goes_on() {
    ReentrantLock lock = new ReentrantLock();
    var condition = lock.newCondition();
    AtomicInteger work = new AtomicInteger();
    List<Long> saw = new CopyOnWriteArrayList<>();
    time.start(
        "worker",
        () -> {
          while (true) {
            lock.lock();
            try {
              while (work.get() == 0) {
                condition.awaitUninterruptibly();
              }
              work.decrementAndGet();
              saw.add(time.nanoTime());
            } finally {
              lock.unlock();
            }
          }
        });
    for (int i = 1; i <= 20; i++) {
      time.schedule(
          i * 10L,
          () -> {
            lock.lock();
            try {
              work.incrementAndGet();
              condition.signal();
            } finally {
              lock.unlock();
            }
          });
    }
    time.advance(SECOND);
    assertThat(saw).hasSize(20);
    assertThat(saw.get(0)).isEqualTo(10L);
    assertThat(saw.get(19)).isEqualTo(200L);
  }

  @Test
  void a_callback_may_block_without_stopping_time() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    time.schedule(
        1,
        () ->
            time.callbacks()
                .execute(
                    () -> {
                      awaitQuietly(go);
                      ended.set(true);
                    }));
    time.advance(SECOND);
    assertThat(ended).isFalse();
    go.countDown();
    time.settle();
    assertThat(ended).isTrue();
  }

  @Test
  void time_moves_by_itself_when_the_driver_has_to_wait() {
    AtomicBoolean timer = new AtomicBoolean();
    time.schedule(SECOND.toNanos(), () -> timer.set(true));
    long end = time.nanoTime() + 5 * SECOND.toNanos();
    while (end - time.nanoTime() > 0) {
      time.park(this, end - time.nanoTime());
    }
    assertThat(timer).isTrue();
    assertThat(time.nanoTime()).isEqualTo(end);
  }

  @Test
  void an_interrupted_thread_does_not_stay_parked() throws Exception {
    Thread sleeper = time.start("sleeper", () -> time.park(this, Long.MAX_VALUE));
    time.awaitParked(sleeper);
    sleeper.interrupt();
    sleeper.join();
  }

  @Test
  void the_wall_clock_can_step_alone() {
    long micros = time.epochMicros();
    time.stepWall(Duration.ofHours(-1));
    assertThat(time.nanoTime()).isZero();
    assertThat(time.epochMicros()).isEqualTo(micros - Duration.ofHours(1).toMillis() * 1000);
  }

  @Test
  void a_suspended_host_misses_time_that_the_store_sees() {
    long micros = time.epochMicros();
    List<String> seen = new ArrayList<>();
    time.schedule(1000, () -> seen.add("timer"));
    time.suspend(SECOND);
    assertThat(time.nanoTime()).isZero();
    assertThat(time.storeTime()).isEqualTo(SECOND.toNanos());
    assertThat(time.epochMicros() - micros).isEqualTo(1_000_000);
    assertThat(seen).isEmpty();
  }

  @Test
  void a_clock_that_overflows_goes_on() {
    ManualTime late = new ManualTime(Long.MAX_VALUE - 5);
    List<Long> seen = new ArrayList<>();
    long begin = late.nanoTime();
    long micros = late.epochMicros();
    late.schedule(10, () -> seen.add(late.nanoTime() - begin));
    late.schedule(3, () -> seen.add(late.nanoTime() - begin));
    late.advance(SECOND);
    assertThat(seen).containsExactly(3L, 10L);
    assertThat(late.epochMicros() - micros).isEqualTo(1_000_000);
  }

  @Test
  void time_does_not_go_back_and_a_timer_does_not_move_it() {
    assertThatThrownBy(() -> time.advance(SECOND.negated()))
        .isInstanceOf(IllegalArgumentException.class);
    time.schedule(1, () -> time.advance(SECOND));
    assertThatThrownBy(() -> time.advance(SECOND)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void secrets_differ() {
    ManualTime other = new ManualTime();
    assertThat(List.of(time.secret(), time.secret(), other.secret(), other.secret()))
        .doesNotHaveDuplicates();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
