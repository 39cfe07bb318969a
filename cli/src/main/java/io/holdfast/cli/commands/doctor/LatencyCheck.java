package io.holdfast.cli.commands.doctor;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.LockRefusedException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Acquires a lock of its own several times: measures the latency and proves the rights. */
final class LatencyCheck {

  private static final int TIMES = 20;
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final long SLOW_MILLIS = 100;

  private LatencyCheck() {}

  private static String name() {
    return "holdfast-doctor/" + Long.toHexString(ThreadLocalRandom.current().nextLong());
  }

  /** Whether a store gives no lock for good, as to a user without rights. */
  static boolean isRefused(Holdfast holdfast) {
    try {
      holdfast.lock(name()).tryAcquire().ifPresent(Hold::release);
      return false;
    } catch (LockRefusedException e) {
      return true;
    } catch (HoldfastException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  static void look(Checkup rounds, Holdfast holdfast) {
    try {
      long[] nanos = measure(holdfast.lock(name()));
      rounds.say(Finding.good("rights", "a lock was acquired and released " + TIMES + " times"));
      rounds.say(finding(nanos));
    } catch (HoldfastException e) {
      rounds.say(
          Finding.bad(
              "rights",
              "a lock cannot be acquired and released: " + e.getMessage(),
              "give the user the rights that the page of this store in docs/engines names"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How long each took, the shortest first. */
  private static long[] measure(DistributedLock lock) throws InterruptedException {
    // The first one pays for connections and classes.
    lock.acquire(WAIT).close();
    long[] nanos = new long[TIMES];
    for (int i = 0; i < TIMES; i++) {
      long start = System.nanoTime();
      try (Hold hold = lock.acquire(WAIT)) {
        hold.ensureHeld();
      }
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static Finding finding(long[] sorted) {
    double middle = sorted[TIMES / 2] / 1e6;
    String text =
        String.format(
            Locale.ROOT,
            "a lock and its release take %.1f ms, at worst %.1f ms",
            middle,
            sorted[TIMES - 1] / 1e6);
    return middle < SLOW_MILLIS
        ? Finding.good("latency", text)
        : Finding.warn("latency", text, "use a store that is nearer, or a longer lease");
  }
}
