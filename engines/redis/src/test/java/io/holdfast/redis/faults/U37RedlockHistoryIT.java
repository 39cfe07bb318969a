package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.redlock.Redlocks;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.TracedHold;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Three clients over five masters, of which some are always frozen, killed or restarted empty. */
@Isolated
@Timeout(90)
class U37RedlockHistoryIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration RUN = Duration.ofSeconds(12);
  private static final Duration BOUND = Duration.ofSeconds(30);

  @TempDir Path folder;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger grants = new AtomicInteger();
  private final AtomicInteger troubles = new AtomicInteger();

  @Test
  @DisplayName("U37 U06 no overlap and rising tokens while masters freeze, die and forget")
  void history() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    int faults;
    try (RedisMasters masters = Redlocks.masters(5);
        HistoryWriter history = HistoryWriter.create(folder.resolve("h"), "test")) {
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        String name = "client-" + i;
        Thread client = new Thread(() -> use(masters, history, name), name);
        clients.add(client);
        client.start();
      }
      faults = faults(masters, new SplittableRandom(seed));
      over.set(true);
      for (Thread client : clients) {
        client.join();
      }
    }
    Figure.print(
        "redlock: %d faults in %d s: %,d grants, %d acquires in trouble, seed %d",
        faults, RUN.toSeconds(), grants.get(), troubles.get(), seed);
    assertThat(grants.get()).isGreaterThan(20);
    new Overlap().check(WorkerJvm.history(folder)).requireClean(20);
    TokenOrder.byRequest(Capacities.mutexes()).check(WorkerJvm.history(folder)).requireClean(20);
  }

  private void use(RedisMasters masters, HistoryWriter history, String name) {
    RedisOptions options = Redlocks.options(masters);
    HoldfastOptions lease = HoldfastOptions.DEFAULTS.withLease(LEASE);
    try (Holdfast holdfast = Holdfast.open(Redlocks.open(options, LEASE), lease)) {
      for (int i = 0; !over.get(); i++) {
        try {
          TracedHold held =
              TracedHold.acquire(holdfast.lock("x"), history.trace("x", name + "/" + i), LONG);
          grants.incrementAndGet();
          held.look();
          held.release();
        } catch (HoldfastException e) {
          troubles.incrementAndGet();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  /** At most two masters at a time, so that there is a majority; one that forgot stays out. */
  private int faults(RedisMasters masters, SplittableRandom random) {
    int faults = 0;
    long end = System.nanoTime() + RUN.toNanos();
    while (System.nanoTime() - end < 0) {
      int forgetful = random.nextInt(5);
      masters.restartEmpty(forgetful);
      faults++;
      // Until it votes again, others freeze one at a time.
      for (int i = 0; i < 6; i++) {
        int frozen = (forgetful + 1 + random.nextInt(4)) % 5;
        masters.pause(frozen);
        awaitMore(random.nextInt(1, 20));
        masters.resume(frozen);
        awaitMore(random.nextInt(1, 10));
        faults++;
      }
    }
    return faults;
  }

  /** Returns when so many more acquires have ended, one way or the other. */
  private void awaitMore(int count) {
    int before = grants.get() + troubles.get();
    Await.until("more acquires", BOUND, () -> grants.get() + troubles.get() >= before + count);
  }
}
