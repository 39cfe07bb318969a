package io.holdfast;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The waiters of a local line in the order of their coming. Guarded by the line's lock. */
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

  /** The first, whether it still waits or not. */
  @Nullable Waiter head() {
    return waiters.peek();
  }

  /** Takes the first out, whether it still waits or not. */
  @Nullable Waiter poll() {
    return waiters.poll();
  }

  /** The first that still waits; those before it are dropped. */
  @Nullable Waiter firstWaiting() {
    waiters.removeIf(Waiter::isDecided);
    return waiters.peek();
  }

  /** Those that only try learn that it is busy. */
  void turnTryersAway(Word word) {
    waiters.removeIf(waiter -> waiter.tryOnly() && waiter.offer(new Waiter.Result.Busy(word)));
  }

  /** Takes all out. */
  List<Waiter> drain() {
    List<Waiter> all = new ArrayList<>(waiters);
    waiters.clear();
    return all;
  }
}
