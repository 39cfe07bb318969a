package io.holdfast.benchmarks.micro;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a free lock costs: one thread, the in-process engine, nobody else. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class UncontendedPath {

  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final String NAME = "orders/42";

  /** Of the locks. */
  @Param({"ANY", "FIFO"})
  public Order order = Order.ANY;

  // JMH calls connect() before anything else.
  @SuppressWarnings("NullAway.Init")
  private Holdfast holdfast;

  @SuppressWarnings("NullAway.Init")
  private DistributedLock lock;

  @SuppressWarnings("NullAway.Init")
  private Lock javaLock;

  /** Connects. */
  @Setup
  public void connect() {
    holdfast = Holdfast.connect("memory:", HoldfastOptions.DEFAULTS.withOrder(order));
    lock = holdfast.lock(NAME);
    javaLock = lock.asJavaLock();
  }

  /** Disconnects. */
  @TearDown
  public void disconnect() {
    holdfast.close();
  }

  /** As users write it: a lock made for one use. */
  @Benchmark
  public Outcome acquireRelease() throws InterruptedException {
    return holdfast.lock(NAME).acquire(WAIT).release();
  }

  /** The same without making the lock. */
  @Benchmark
  public Outcome acquireReleaseOfOneLock() throws InterruptedException {
    return lock.acquire(WAIT).release();
  }

  /** The attempt that does not wait. */
  @Benchmark
  public Optional<Outcome> tryAcquireRelease() throws InterruptedException {
    return lock.tryAcquire().map(Hold::release);
  }

  /** The thread-owned view. */
  @Benchmark
  public void javaLockUnlock() {
    javaLock.lock();
    try {
      // Nothing: what is measured is the way in and out.
    } finally {
      javaLock.unlock();
    }
  }

  /** Making a lock. */
  @Benchmark
  public DistributedLock makeLock() {
    return holdfast.lock(NAME);
  }
}
