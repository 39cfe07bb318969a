package io.holdfast.benchmarks.micro;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a holder asks again and again. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HeldPath {

  // JMH calls acquire() before anything else.
  @SuppressWarnings("NullAway.Init")
  private Holdfast holdfast;

  @SuppressWarnings("NullAway.Init")
  private Hold hold;

  /** Takes the lock. */
  @Setup
  public void acquire() throws InterruptedException {
    holdfast = Holdfast.connect("memory:");
    hold = holdfast.lock("orders/42").acquire();
  }

  /** Gives it back. */
  @TearDown
  public void release() {
    holdfast.close();
  }

  /** Whether it is still held. */
  @Benchmark
  public boolean isHeld() {
    return hold.isHeld();
  }

  /** The token for a guard. */
  @Benchmark
  public long token() {
    return hold.token();
  }
}
