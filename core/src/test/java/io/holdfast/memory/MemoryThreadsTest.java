package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads at once: no two rivals hold, every wake arrives, nothing stays behind. */
@Timeout(60)
class MemoryThreadsTest {

  private static final int THREADS = 8;
  private static final int ROUNDS = 3_000;

  private final MemoryEngine engine = MemoryEngine.create(System::nanoTime, () -> 64_000_000L);
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicLong highest = new AtomicLong();

  private Ticket ticket(String name, Shape shape, int weight) {
    Ticket.Id id = new Ticket.Id(7, 7, numbers.incrementAndGet());
    Owner owner = new Owner("test", "here", 1, "t", "");
    Resource resource = new Resource("default", name);
    return new Ticket(id, resource, shape, weight, Scene.LEASE, 0, true, owner);
  }

  /** Waits for wakes alone where an order is kept; else for the end of reservations as well. */
  private long acquire(Ticket ticket) throws Exception {
    Semaphore woken = new Semaphore(0);
    while (true) {
      Standing standing = engine.attempt(ticket, woken::release);
      if (standing instanceof Standing.Granted granted) {
        return granted.token();
      }
      Standing.Waiting waiting = (Standing.Waiting) standing;
      boolean called = woken.tryAcquire(waiting.retryAfter().toNanos(), TimeUnit.NANOSECONDS);
      woken.drainPermits();
      assertThat(called || ticket.shape().order() == Order.ANY).isTrue();
    }
  }

  private void together(int threads, Task task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        all.add(
            pool.submit(
                () -> {
                  start.await();
                  task.run(number);
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(engine.store().lines()).isEmpty();
  }

  private interface Task {
    void run(int number) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void neverAreTwoInAMutexAndTokensRise(Order order) throws Exception {
    together(
        THREADS,
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            Ticket ticket = ticket("mutex", Shape.mutex(order), 1);
            long token = acquire(ticket);
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            assertThat(highest.getAndSet(token)).isLessThan(token);
            inside.decrementAndGet();
            engine.leave(ticket, false);
          }
        });
    assertThat(numbers.get()).isEqualTo(THREADS * ROUNDS);
  }

  @Test
  void neverIsMoreTakenThanThereIs() throws Exception {
    together(
        THREADS,
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            int weight = 1 + (i + number) % 3;
            Ticket ticket = ticket("pool", Shape.semaphore(4), weight);
            acquire(ticket);
            assertThat(inside.addAndGet(weight)).isBetween(1, 4);
            inside.addAndGet(-weight);
            engine.leave(ticket, false);
          }
        });
  }

  @Test
  void linesThatComeAndGoAllTheTimeStillExclude() throws Exception {
    AtomicInteger[] rooms = new AtomicInteger[3];
    for (int i = 0; i < rooms.length; i++) {
      rooms[i] = new AtomicInteger();
    }
    together(
        THREADS,
        number -> {
          for (int i = 0; i < 20_000; i++) {
            int room = (i + number) % rooms.length;
            Ticket ticket = ticket("room" + room, Shape.mutex(Order.ANY), 1);
            if (engine.attempt(ticket, () -> {}) instanceof Standing.Granted) {
              assertThat(rooms[room].incrementAndGet()).isEqualTo(1);
              rooms[room].decrementAndGet();
            }
            engine.leave(ticket, i % 64 == 0);
          }
        });
  }
}
