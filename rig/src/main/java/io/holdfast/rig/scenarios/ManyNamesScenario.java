package io.holdfast.rig.scenarios;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Acquires and releases very many names, and checks what remains in the store. */
public final class ManyNamesScenario {

  private static final int THREADS = 32;
  private static final Duration WAIT = Duration.ofSeconds(20);

  private ManyNamesScenario() {}

  /** Uses so many names once, by many threads; returns how many milliseconds that took. */
  public static long useAll(Holdfast holdfast, int names) throws Exception {
    long start = System.nanoTime();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int from = t;
        all.add(
            threads.submit(
                () -> {
                  for (int i = from; i < names; i += THREADS) {
                    use(holdfast, i);
                  }
                  return true;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return (System.nanoTime() - start) / 1_000_000;
  }

  /**
   * Uses one of them: every tenth in a line, every hundredth as a semaphore.
   *
   * @return the token
   */
  public static long use(Holdfast holdfast, int number) throws InterruptedException {
    String name = "order/" + number;
    Hold hold;
    if (number % 100 == 1) {
      hold = holdfast.semaphore(name, 3).acquire(WAIT);
    } else if (number % 10 == 1) {
      hold = holdfast.with(o -> o.withOrder(Order.FIFO)).lock(name).acquire(WAIT);
    } else {
      hold = holdfast.lock(name).acquire(WAIT);
    }
    hold.release();
    return hold.token();
  }
}
