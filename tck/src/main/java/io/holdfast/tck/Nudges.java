package io.holdfast.tck;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Finds out whether a thread that waits somewhere has anything to do: unparks it and sees whether
 * it begins to wait anew. The JVM counts how often a thread has waited.
 */
final class Nudges {

  private static final long LOOK_NANOS = 30_000;

  /** Who has not stirred by then does not wait by parking: it sleeps, or waits for a monitor. */
  private static final long DEAF_NANOS = 20_000_000;

  private final ThreadMXBean jvm = ManagementFactory.getThreadMXBean();
  private final Map<Thread, Long> deaf = new ConcurrentHashMap<>();

  void forgetOthers(Collection<Thread> alive) {
    deaf.keySet().retainAll(alive);
  }

  /**
   * Returns when the thread waits and has nothing to do, or has ended, or the time is up.
   *
   * @param parked whether it is known to be idle
   * @param end on the clock of {@link System#nanoTime}
   */
  void awaitIdle(Thread thread, BooleanSupplier parked, long end) {
    long nudgedAt = 0;
    long waited = -1;
    while (end - System.nanoTime() > 0 && !parked.getAsBoolean()) {
      switch (thread.getState()) {
        case TERMINATED -> {
          return;
        }
        case NEW, RUNNABLE -> waited = -1;
        default -> {
          long count = waitedCount(thread);
          if (waited < 0) {
            if (Long.valueOf(count).equals(deaf.get(thread))) {
              return;
            }
            waited = count;
            nudgedAt = System.nanoTime();
            LockSupport.unpark(thread);
          } else if (count != waited) {
            return;
          } else if (System.nanoTime() - nudgedAt > DEAF_NANOS) {
            deaf.put(thread, count);
            return;
          }
        }
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** How often the thread has begun to wait; the same number for a thread that cannot be asked. */
  @SuppressWarnings("deprecation") // getId() became threadId() in a later JDK.
  private long waitedCount(Thread thread) {
    ThreadInfo info = jvm.getThreadInfo(thread.getId());
    return info == null ? 0 : info.getWaitedCount();
  }
}
