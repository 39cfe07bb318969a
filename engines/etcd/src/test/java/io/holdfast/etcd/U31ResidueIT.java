package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.Figure;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U31: names that are used once leave nothing behind; {@code -Dlong} uses 200,000. */
class U31ResidueIT {

  private static final int NAMES = System.getProperty("long") == null ? 10_000 : 200_000;
  private static final int THREADS = 64;
  private static final Duration WAIT = Duration.ofSeconds(20);

  @Test
  @Timeout(600)
  void names_that_were_used_once_leave_no_key_and_tokens_still_rise() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri())) {
      long before = use(holdfast, 0);
      long start = System.nanoTime();
      useAll(holdfast);
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertThat(server.keys("holdfast/line/")).isEmpty();
      // A first attempt that took too long has left a tombstone, for a lease.
      Await.until(
          "nothing but the record",
          WAIT.multipliedBy(3),
          () -> server.keys("holdfast/").size() == 1);
      assertThat(use(holdfast, 0)).isGreaterThan(before);
      Figure.print(
          "U31: %,d names in %,d ms (%,d/s) left nothing behind",
          NAMES, millis, NAMES * 1000L / millis);
    }
  }

  /** Deleted keys are walked over until a compaction: a name that is in use must not make more. */
  @Test
  void a_name_that_is_taken_again_and_again_has_few_keys() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri())) {
      Set<String> keys = new HashSet<>();
      for (int i = 0; i < 40; i++) {
        try (Hold hold = holdfast.lock("again").acquire(WAIT)) {
          assertThat(hold.isHeld()).isTrue();
          keys.addAll(server.keys("holdfast/line/"));
        }
      }
      // Another may be taken before the last is given back, or after an answer that stayed out.
      assertThat(keys).hasSizeLessThan(20);
    }
  }

  private static void useAll(Holdfast holdfast) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int from = t;
        all.add(
            threads.submit(
                () -> {
                  for (int i = from; i < NAMES; i += THREADS) {
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
  }

  /** Every tenth in a line, every hundredth as a semaphore. */
  private static long use(Holdfast holdfast, int number) throws InterruptedException {
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
