package io.holdfast.memory;

import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Clean-up actions that become due later.
 *
 * <p>No thread waits for them: the next verb on the store runs the actions that are due.
 */
final class Reminders {

  /** The most actions that one verb runs, so that no caller pays for all the others. */
  private static final int A_TURN = 64;

  private record Reminder(long at, Runnable action) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Reminder> queue =
      new PriorityQueue<>((a, b) -> Long.compare(a.at - b.at, 0));
  private volatile boolean empty = true;

  /** Returns whether no action is scheduled: almost always true, and cheap. */
  boolean isEmpty() {
    return empty;
  }

  void add(long at, Runnable action) {
    lock.lock();
    try {
      queue.add(new Reminder(at, action));
      empty = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs the actions that are due. The caller must not have entered a line: actions may enter any.
   */
  void run(long now) {
    for (int i = 0; i < A_TURN; i++) {
      Reminder due = poll(now);
      if (due == null) {
        return;
      }
      due.action.run();
    }
  }

  private @Nullable Reminder poll(long now) {
    lock.lock();
    try {
      Reminder next = queue.peek();
      if (next == null || next.at - now > 0) {
        return null;
      }
      queue.remove();
      empty = queue.isEmpty();
      return next;
    } finally {
      lock.unlock();
    }
  }
}
