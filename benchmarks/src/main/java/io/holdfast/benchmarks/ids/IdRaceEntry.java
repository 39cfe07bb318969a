package io.holdfast.benchmarks.ids;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An id generator in the race, and its speeds.
 *
 * @param name of the generator
 * @param loop makes so many and returns a value derived from them, so that none is optimised away
 * @param speeds ids a second, of each round
 */
record IdRaceEntry(String name, Loop loop, List<Double> speeds) {

  /** The loop is each entry's own, so that no call in it has two targets. */
  interface Loop {
    long make(int count);
  }

  private static final int PORTION = 2_000;

  IdRaceEntry(String name, Loop loop) {
    this(name, loop, new ArrayList<>());
  }

  /** Runs one round; returns ids a second. */
  double run(int threads, long nanos) throws Exception {
    CyclicBarrier start = new CyclicBarrier(threads);
    AtomicLong made = new AtomicLong();
    AtomicLong sink = new AtomicLong();
    AtomicLong longest = new AtomicLong();
    List<Thread> group = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> work(start, nanos, made, sink, longest), "entry-" + i);
      thread.setDaemon(true);
      thread.start();
      group.add(thread);
    }
    for (Thread thread : group) {
      thread.join();
    }
    return made.get() * 1e9 / longest.get();
  }

  private void work(
      CyclicBarrier start, long nanos, AtomicLong made, AtomicLong sink, AtomicLong longest) {
    try {
      start.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    long begin = System.nanoTime();
    long count = 0;
    long some = 0;
    while (System.nanoTime() - begin < nanos) {
      some ^= loop.make(PORTION);
      count += PORTION;
    }
    longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
    made.addAndGet(count);
    sink.addAndGet(some);
  }

  double median() {
    return median(speeds);
  }

  static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  /** The median of how many times as fast it was as the other one, round by round. */
  double times(IdRaceEntry other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < speeds.size(); i++) {
      ratios.add(speeds.get(i) / other.speeds.get(i));
    }
    return median(ratios);
  }
}
