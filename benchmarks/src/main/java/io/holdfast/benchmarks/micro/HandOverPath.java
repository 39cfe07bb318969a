package io.holdfast.benchmarks.micro;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of a lock that several threads of one client want. In order ANY it is handed over. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HandOverPath {

  private static final Duration WAIT = Duration.ofSeconds(5);

  /** Of the locks. */
  @Param({"ANY", "FIFO"})
  public Order order = Order.ANY;

  // JMH calls connect() before anything else.
  @SuppressWarnings("NullAway.Init")
  private Holdfast holdfast;

  @SuppressWarnings("NullAway.Init")
  private DistributedLock lock;

  /** Connects. */
  @Setup
  public void connect() {
    holdfast = Holdfast.connect("memory:", HoldfastOptions.DEFAULTS.withOrder(order));
    lock = holdfast.lock("orders/42");
  }

  /** Disconnects. */
  @TearDown
  public void disconnect() {
    holdfast.close();
  }

  /** Two threads that both run. */
  @Benchmark
  @Threads(2)
  public Outcome twoThreads() throws InterruptedException {
    return lock.acquire(WAIT).release();
  }

  /** Many threads, most of them parked. */
  @Benchmark
  @Threads(16)
  public Outcome sixteenThreads() throws InterruptedException {
    return lock.acquire(WAIT).release();
  }

  /**
   * A release that finds a waiter which has no thread: straight over, on a thread for callbacks.
   */
  @Benchmark
  @Threads(1)
  public Outcome toFuture() throws InterruptedException {
    Hold first = lock.acquire(WAIT);
    CompletableFuture<Hold> second = lock.acquireAsync(WAIT);
    first.release();
    return second.join().release();
  }
}
