package io.holdfast.benchmarks.ids;

import io.holdfast.Holdfast;
import io.holdfast.ids.Ids;
import io.holdfast.ids.LongIds;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import org.HdrHistogram.Histogram;

/**
 * Measures the wait for one id while the store takes 50 ms to reply. For Holdfast that is a Redis
 * behind a slow link; for CosId it is a wait of 50 ms without any store. One thread, a million ids
 * a second, after five seconds to get used to it.
 */
final class SlowStore {

  private static final Duration HALF_WAY = Duration.ofMillis(25);
  private static final long PORTION_NANOS = 1_000_000;
  private static final int PORTION = 1_000;

  private SlowStore() {}

  /** Waits in nanoseconds. */
  static Histogram holdfast(Duration time) {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process())) {
      proxy.delay(HALF_WAY, Duration.ZERO, 1);
      try (Holdfast client =
              Holdfast.connect(
                  "redis://127.0.0.1:" + proxy.port() + "?holdfast.operationTimeout=10s");
          LongIds ids = Ids.over(client).segment("slow")) {
        return measure(ids::next, time);
      }
    }
  }

  /** The same of CosId's chain. */
  static Histogram cosId(Duration time) {
    SegmentChainId chain = new SegmentChainId(new Slow());
    return measure(chain::generate, time);
  }

  private static Histogram measure(LongSupplier next, Duration time) {
    pace(next, Duration.ofSeconds(5));
    return pace(next, time);
  }

  private static Histogram pace(LongSupplier next, Duration time) {
    Histogram waits = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
    long start = System.nanoTime();
    long some = 0;
    for (long due = 0; due < time.toNanos(); due += PORTION_NANOS) {
      while (System.nanoTime() - start < due) {
        LockSupport.parkNanos(Math.max(1, start + due - System.nanoTime()));
      }
      long last = System.nanoTime();
      for (int i = 0; i < PORTION; i++) {
        some ^= next.getAsLong();
        long now = System.nanoTime();
        waits.recordValue(now - last);
        last = now;
      }
    }
    if (some == 1) {
      throw new IllegalStateException("so that no id is optimised away");
    }
    return waits;
  }

  private static final class Slow implements IdSegmentDistributor {

    private final AtomicLong last = new AtomicLong();

    @Override
    public String getNamespace() {
      return "bench";
    }

    @Override
    public String getName() {
      return "slow";
    }

    @Override
    public long getStep() {
      return PORTION;
    }

    @Override
    public long nextMaxId(long step) {
      long end = System.nanoTime() + 2 * HALF_WAY.toNanos();
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return last.addAndGet(step);
    }
  }
}
