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
 * Detects whether a waiting thread is idle.
 *
 * <p>It unparks the thread and checks whether the thread starts to wait again: the JVM counts how
 * often a thread has waited.
 */
final class IdleDetector {

  private static final long LOOK_NANOS = 30_000;

  /** A thread that does not react by then sleeps or waits for a monitor. */
  private static final long UNRESPONSIVE_NANOS = 200_000_000;

  private final ThreadMXBean jvm = ManagementFactory.getThreadMXBean();
  private final Map<Thread, Long> unresponsive = new ConcurrentHashMap<>();

  void retain(Collection<Thread> alive) {
    unresponsive.keySet().retainAll(alive);
  }

  /**
   * Returns when the thread is idle or has ended, or when the time is up.
   *
   * @param parked whether the thread is known to be idle
   * @param end on the clock of {@link System#nanoTime}
   */
  void awaitIdle(Thread thread, BooleanSupplier parked, long end) {
    long unparkedAt = 0;
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
            if (Long.valueOf(count).equals(unresponsive.get(thread))) {
              return;
            }
            waited = count;
            unparkedAt = System.nanoTime();
            LockSupport.unpark(thread);
          } else if (count != waited) {
            return;
          } else if (System.nanoTime() - unparkedAt > UNRESPONSIVE_NANOS) {
            unresponsive.put(thread, count);
            return;
          }
        }
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** How often the thread has started to wait; 0 if the JVM does not know the thread. */
  @SuppressWarnings("deprecation") // getId() became threadId() in a later JDK.
  private long waitedCount(Thread thread) {
    ThreadInfo info = jvm.getThreadInfo(thread.getId());
    return info == null ? 0 : info.getWaitedCount();
  }
}
