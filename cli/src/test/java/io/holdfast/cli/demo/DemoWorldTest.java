package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A machine that is stopped")
class DemoWorldTest {

  private final Hand hand = new Hand();
  private final DemoWorld world = new DemoWorld(hand);
  private final List<String> done = new ArrayList<>();

  @Test
  @DisplayName("runs no timer until it goes on, then the timers that were due")
  void timers() {
    world.schedule(1, () -> done.add("before"));
    hand.turn();
    world.schedule(1, () -> done.add("due"));
    Runnable cancel = world.schedule(1, () -> done.add("cancelled"));
    world.pause();
    hand.turn();
    cancel.run();
    assertThat(done).containsExactly("before");

    world.resume();
    hand.turn();

    assertThat(done).containsExactly("before", "due");
  }

  @Test
  @DisplayName("has threads that stand still where they wait")
  void threads() throws InterruptedException {
    CountDownLatch goesOn = new CountDownLatch(1);
    world.pause();
    Thread thread =
        new Thread(
            () -> {
              world.park(this, 1);
              goesOn.countDown();
            });
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(goesOn.getCount()).isEqualTo(1);

    world.resume();

    assertThat(goesOn.await(10, TimeUnit.SECONDS)).isTrue();
    thread.join();
  }

  /** Timers that the test fires. */
  private static final class Hand implements World {
    private final Queue<Runnable> timers = new ArrayDeque<>();

    void turn() {
      for (Runnable due = timers.poll(); due != null; due = timers.poll()) {
        due.run();
      }
    }

    @Override
    public Runnable schedule(long delayNanos, Runnable task) {
      timers.add(task);
      return () -> timers.remove(task);
    }

    @Override
    public void park(Object blocker, long nanos) {}

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long epochMicros() {
      return 0;
    }

    @Override
    public Executor callbacks() {
      return Runnable::run;
    }

    @Override
    public Thread start(String name, Runnable body) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public long secret() {
      return 0;
    }
  }
}
