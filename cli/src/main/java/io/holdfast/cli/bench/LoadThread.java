package io.holdfast.cli.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One thread of a round: acquires and releases its lock until the time is up. */
public final class LoadThread implements Runnable {

  /** How the names of these threads begin. */
  public static final String NAME_PREFIX = "bench-worker-";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Contender.Caller caller;
  private final ProtectedCounters ledger;
  private final String name;
  private final int cell;
  private final long section;
  private final CountDownLatch ready;
  private final CountDownLatch gate;
  private final WaitTimes waits = WaitTimes.none();

  // Written by the crew before the gate opens.
  private long end;

  // Written by the worker before it ends.
  private long finished;
  private long bytes;
  private long cpu;
  private long sunkTokens;
  private @Nullable Throwable failure;

  /**
   * A worker that has not started.
   *
   * @param thread its number
   * @param ready receives that it is at the gate
   * @param gate lets it begin
   */
  LoadThread(
      Contender.Caller caller,
      ProtectedCounters ledger,
      Workload workload,
      int thread,
      CountDownLatch ready,
      CountDownLatch gate) {
    this.caller = caller;
    this.ledger = ledger;
    this.cell = workload.cellOf(thread);
    this.name = workload.names().get(cell);
    this.section = workload.section().toNanos();
    this.ready = ready;
    this.gate = gate;
  }

  /** Says when the time is up; called before the gate opens. */
  void until(long nanoTime) {
    end = nanoTime;
  }

  @Override
  public void run() {
    try {
      ready.countDown();
      gate.await();
      long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
      long cpuBefore = THREADS.getCurrentThreadCpuTime();
      work();
      cpu = THREADS.getCurrentThreadCpuTime() - cpuBefore;
      bytes = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
    } catch (Throwable e) {
      failure = e;
    } finally {
      finished = System.nanoTime();
    }
  }

  private void work() throws Exception {
    for (long asked = System.nanoTime(); asked - end < 0; asked = System.nanoTime()) {
      long token = caller.acquire(name);
      long in = System.nanoTime();
      long count = ledger.read(cell);
      if (token != Contender.Caller.NO_TOKEN && !ledger.rises(cell, token)) {
        sunkTokens++;
      }
      if (section > 0) {
        spin(in + section);
      }
      ledger.write(cell, count + 1);
      try {
        caller.release();
      } finally {
        // Even when the release failed: the count above has been made.
        waits.add(in - asked);
      }
    }
  }

  /** Works: a thread that slept would leave the core to the others, as real sections do not. */
  private static void spin(long until) {
    while (System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }

  // The rest is read after the thread has ended.

  WaitTimes waits() {
    return waits;
  }

  long finished() {
    return finished;
  }

  /** What the thread allocated while it worked. */
  long bytes() {
    return bytes;
  }

  /** The nanoseconds that the thread was running while it worked. */
  long cpu() {
    return cpu;
  }

  /** How many tokens were not above the one before. */
  long sunkTokens() {
    return sunkTokens;
  }

  @Nullable Throwable failure() {
    return failure;
  }
}
