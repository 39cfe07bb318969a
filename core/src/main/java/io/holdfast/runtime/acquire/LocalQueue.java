package io.holdfast.runtime.acquire;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The waiters of a local line in the order of arrival. Guarded by the line's lock. */
final class LocalQueue {

  private final Deque<Waiter> waiters = new ArrayDeque<>(2);

  void add(Waiter waiter) {
    waiters.add(waiter);
  }

  boolean remove(Waiter waiter) {
    return waiters.remove(waiter);
  }

  int size() {
    return waiters.size();
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  /** Returns the first waiter, whether it still waits or not. */
  @Nullable Waiter head() {
    return waiters.peek();
  }

  /** Removes the first waiter, whether it still waits or not. */
  @Nullable Waiter poll() {
    return waiters.poll();
  }

  /** Returns the first waiter that still waits; removes the ones before it. */
  @Nullable Waiter firstWaiting() {
    waiters.removeIf(Waiter::isDecided);
    return waiters.peek();
  }

  /** Notifies the waiters that only try that the lock is busy. */
  void turnTryersAway(StoreReplies replies) {
    waiters.removeIf(waiter -> waiter.tryOnly() && waiter.offer(new Waiter.Result.Busy(replies)));
  }

  /** Removes all waiters. */
  List<Waiter> drain() {
    List<Waiter> all = new ArrayList<>(waiters);
    waiters.clear();
    return all;
  }
}
