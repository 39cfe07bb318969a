package io.holdfast.simulation;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Virtual time: one queue of events ordered by time and sequence, one seeded source of chance. */
final class SimEvents {

  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000 * MILLI;

  private static final long RUNAWAY = 3_000_000;

  private record Event(long at, long sequence, Runnable body) {}

  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(
          (a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.sequence, b.sequence));
  final SplittableRandom random;
  private long now;
  private long sequence;

  SimEvents(long seed) {
    random = new SplittableRandom(seed);
  }

  long now() {
    return now;
  }

  /** How many events there were. */
  long count() {
    return sequence - queue.size();
  }

  void after(long nanos, Runnable body) {
    queue.add(new Event(now + Math.max(0, nanos), sequence++, body));
  }

  /** Runs events until the time, and the check after each of them. */
  void runUntil(long time, Runnable check) {
    while (!queue.isEmpty() && queue.peek().at <= time) {
      Event event = queue.poll();
      now = event.at;
      event.body.run();
      check.run();
      if (sequence > RUNAWAY) {
        throw new AssertionError("runaway: " + sequence + " events by " + now + " ns");
      }
    }
    now = time;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  long between(long low, long high) {
    return low + random.nextLong(high - low + 1);
  }
}
