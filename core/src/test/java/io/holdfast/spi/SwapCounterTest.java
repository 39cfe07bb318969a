package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.SwapCounter.Cell;
import io.holdfast.spi.SwapCounter.Cells;
import io.holdfast.spi.SwapCounter.Swapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SwapCounterTest {

  private static final Resource ORDERS = new Resource("default", "orders");
  private static final EngineProvider.Settings SETTINGS =
      new EngineProvider.Settings(
          Duration.ofSeconds(30), Duration.ofMillis(500), 0, System::nanoTime, () -> 0);

  /** Cells in memory, whose next swap can be made to wait, to be overtaken or to lose its reply. */
  private static final class Memory implements Cells {
    private final ConcurrentHashMap<Resource, Cell> cells = new ConcurrentHashMap<>();
    final AtomicInteger swaps = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);
    volatile Runnable before = () -> {};
    volatile boolean loseAnswer;

    @Override
    public Cell look(Resource name) {
      return cells.getOrDefault(name, new Cell("", 0));
    }

    @Override
    public Swapped swap(Resource name, Cell seen, String text) throws EngineException {
      swaps.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new EngineException.Unknown("interrupted", e);
      }
      before.run();
      boolean lost = loseAnswer;
      Swapped answer = write(name, seen, text);
      if (lost) {
        throw new EngineException.Unknown("the reply was lost", null);
      }
      return answer;
    }

    private synchronized Swapped write(Resource name, Cell seen, String text) {
      Cell now = look(name);
      if (now.mark() != seen.mark()) {
        return new Swapped(false, now);
      }
      Cell written = new Cell(text, now.mark() + 1);
      cells.put(name, written);
      return new Swapped(true, written);
    }

    synchronized void put(String text) {
      cells.put(ORDERS, new Cell(text, look(ORDERS).mark() + 1));
    }

    @Override
    public long epochMicros() {
      return 5_000;
    }
  }

  private final Memory memory = new Memory();
  private final SwapCounter counter = new SwapCounter(memory, "memory:", SETTINGS);

  private long take(long count) throws EngineException {
    return counter.take(new Ask(ORDERS, count, 0, false));
  }

  @Test
  void those_that_wait_together_are_served_in_one_step() throws Exception {
    memory.gate = new CountDownLatch(1);
    List<Long> firsts = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  firsts.add(take(10));
                } catch (EngineException e) {
                  throw new IllegalStateException(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    while (threads.stream().anyMatch(each -> each.getState() == Thread.State.RUNNABLE)) {
      Thread.onSpinWait();
    }
    memory.gate.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    Collections.sort(firsts);
    for (int i = 0; i < 16; i++) {
      assertThat(firsts.get(i)).isEqualTo(i * 10L);
    }
    assertThat(memory.swaps.get()).as("steps for 16 blocks").isLessThan(16);
  }

  @Test
  void who_is_overtaken_goes_on_behind_the_other() throws Exception {
    assertThat(take(10)).isZero();
    memory.before =
        () -> {
          memory.before = () -> {};
          memory.put("25");
        };
    assertThat(take(10)).isEqualTo(25);
    assertThat(memory.look(ORDERS).text()).isEqualTo("35");
  }

  @Test
  void a_caller_that_is_always_overtaken_fails_and_has_taken_nothing() throws Exception {
    assertThat(take(10)).isZero();
    memory.before = () -> memory.put("1000");
    long start = System.nanoTime();
    assertThatThrownBy(() -> take(10))
        .isInstanceOf(EngineException.NotDone.class)
        .hasMessageContaining("\"orders\"")
        .hasMessageContaining("other clients were quicker");
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThan(400);
    memory.before = () -> {};
    assertThat(take(10)).isEqualTo(1000);
  }

  @Test
  void a_lost_reply_wastes_a_block_and_repeats_none() throws Exception {
    assertThat(take(10)).isZero();
    memory.loseAnswer = true;
    assertThatThrownBy(() -> take(10)).isInstanceOf(EngineException.Unknown.class);
    memory.loseAnswer = false;
    assertThat(take(10)).isEqualTo(20);
  }

  @Test
  void a_caller_that_gets_no_turn_in_time_fails() throws Exception {
    memory.gate = new CountDownLatch(1);
    Thread slow =
        new Thread(
            () -> {
              try {
                long ignored = take(1);
              } catch (EngineException e) {
                throw new IllegalStateException(e);
              }
            });
    slow.start();
    while (memory.swaps.get() == 0) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> take(10))
        .isInstanceOf(EngineException.NotDone.class)
        .hasMessageContaining("no turn in time");
    memory.gate.countDown();
    slow.join();
    assertThat(take(1)).isEqualTo(1);
  }

  @Test
  void what_holdfast_did_not_write_is_left_untouched() {
    for (String foreign : List.of("x", "-1", "99999999999999999999")) {
      memory.put(foreign);
      assertThatThrownBy(() -> new SwapCounter(memory, "memory:", SETTINGS).take(one()))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("left it untouched");
      assertThat(memory.look(ORDERS).text()).isEqualTo(foreign);
    }
  }

  private static Ask one() {
    return new Ask(ORDERS, 1, 0, false);
  }

  @Test
  void a_counter_that_is_used_up_says_so_and_never_wraps() throws Exception {
    memory.put(Long.toString(Long.MAX_VALUE - 1));
    assertThat(take(1)).isEqualTo(Long.MAX_VALUE - 1);
    assertThatThrownBy(() -> take(1))
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining("no numbers are left");
  }

  @Test
  void floors_and_clocks_of_those_that_are_served_together_count_each_by_itself() throws Exception {
    assertThat(counter.take(new Ask(ORDERS, 1, 0, true))).isEqualTo(5_000);
    assertThat(counter.take(new Ask(ORDERS, 1, 7_000, true))).isEqualTo(7_000);
    assertThat(counter.take(new Ask(ORDERS, 1, 10, false))).isEqualTo(7_001);
  }
}
