package io.holdfast.memory;

import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is to be cleaned up at a later time. There is no thread that waits for the time to come:
 * whoever uses the store next does what is due.
 */
final class Reminders {

  /** One caller cleans up no more than this, so that none pays for everybody. */
  private static final int A_TURN = 64;

  private record Reminder(long at, Runnable action) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Reminder> queue =
      new PriorityQueue<>((a, b) -> Long.compare(a.at - b.at, 0));
  private volatile boolean empty = true;

  /** Whether there is nothing to look at, now or later; almost always so, and cheap to ask. */
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

  /** Does what is due. The caller has no line locked: actions may lock any. */
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
