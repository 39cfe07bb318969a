package io.holdfast.benchmarks.runners;

import io.holdfast.cli.bench.ConnectionCount;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.ExtraFigures;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.cli.bench.ThreadRunner;
import io.holdfast.cli.bench.Workload;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs rounds of one caller while many other locks stay held and are renewed. */
public final class HeldRunner implements RoundRunner {

  /** The shortest there is: the most renewals. */
  public static final Duration LEASE = Duration.ofSeconds(2);

  private static final Duration LONGEST_LEASE = Duration.ofSeconds(30);
  private static final Duration SPARE = Duration.ofMillis(500);

  /** What is still held after this was renewed at least once. */
  public static final Duration LONG_ENOUGH = LEASE.plus(SPARE);

  private static final double NANOS = 1e9;

  private final Contender.Session session;
  private final ThreadRunner caller;
  private final String prefix;
  private final int count;
  private final int takers;
  private final ConnectionCount connections;

  /**
   * A runner over a connection that it closes at its end.
   *
   * @param count how many locks to hold; 0 to have something to compare with
   */
  public HeldRunner(
      Contender.Session session,
      String prefix,
      int count,
      int takers,
      ConnectionCount connections) {
    this.connections = connections;
    this.session = session;
    this.caller = new ThreadRunner(session, Workload.own(prefix + "/caller", 1, Duration.ZERO));
    this.prefix = prefix;
    this.count = count;
    this.takers = count == 0 ? 0 : takers;
  }

  @Override
  public Sample run(Duration time) throws Exception {
    connections.begin();
    long heapBefore = count == 0 ? 0 : usedHeap();
    Map<String, Double> extras = new LinkedHashMap<>();
    long start = System.nanoTime();
    HeldLocks holding = HeldLocks.take(session, prefix + "/held", count, takers);
    Sample sample;
    try (holding) {
      extras.put(ExtraFigures.TAKEN_PER_SECOND, count * NANOS / (System.nanoTime() - start));
      sample = caller.run(time);
      extras.put(ExtraFigures.THREADS, (double) threads() - takers);
      connections.look().ifPresent(number -> extras.put(ExtraFigures.CONNECTIONS, (double) number));
      extras.put(
          ExtraFigures.HEAP_BYTES_PER_HOLD,
          count == 0 ? 0 : (double) (usedHeap() - heapBefore) / count);
    }
    extras.put(ExtraFigures.HELD, (double) count);
    extras.put(ExtraFigures.STILL_HELD, (double) holding.stillHeld());
    List<String> faults = new ArrayList<>(sample.faults());
    faults.addAll(holding.faults());
    if (holding.stillHeld() != count) {
      faults.add("%d of %d held locks were lost".formatted(count - holding.stillHeld(), count));
    }
    return sample.withFaults(faults).withExtras(extras);
  }

  /** The lease for rounds of this time: the longest that makes everything be renewed in them. */
  public static Duration lease(Duration time) {
    Duration lease = time.minus(SPARE);
    return lease.compareTo(LONGEST_LEASE) < 0 ? lease : LONGEST_LEASE;
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Override
  public void close() throws Exception {
    session.close();
  }
}
