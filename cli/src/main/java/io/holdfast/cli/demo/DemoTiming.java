package io.holdfast.cli.demo;

import java.time.Duration;

/**
 * How long things take in the story; leases are as they are.
 *
 * @param turn how long one holds the lock
 * @param longJob more than a lease
 * @param patience how long the impatient one waits, much less than the long job
 * @param breath between the parts, for the reader
 */
record DemoTiming(Duration turn, Duration longJob, Duration patience, Duration breath) {

  static final DemoTiming USUAL = of(450, 2700, 800, 900);
  static final DemoTiming FAST = of(100, 2100, 300, 0);

  private static DemoTiming of(long turn, long longJob, long patience, long breath) {
    return new DemoTiming(
        Duration.ofMillis(turn),
        Duration.ofMillis(longJob),
        Duration.ofMillis(patience),
        Duration.ofMillis(breath));
  }
}
