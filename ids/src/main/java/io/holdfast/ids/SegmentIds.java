package io.holdfast.ids;

import io.holdfast.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Ids out of blocks that were fetched ahead; see {@link Ids#segment}. */
final class SegmentIds implements LongIds {

  /*
   * An id is one atomic addition to the block in use. Whoever finds it used up puts the next one in
   * its place; behind it stand so many more that together they last for as long as they must. They
   * are fetched by one thread at a time and stand in the order in which the store gave them out, so
   * the ids of a generator rise. Callers never fetch themselves: the store may take longer than
   * they have patience.
   */

  /** How many blocks stand ready behind the one in use, when all is well. */
  private static final int READY = 3;

  private static final long FIRST_RETRY_NANOS = 50_000_000;
  private static final long LONGEST_RETRY_NANOS = 1_000_000_000;

  private final Numbers numbers;
  private final SegmentOptions options;
  private final World world;
  private final ReentrantLock shelf = new ReentrantLock();
  private final ReentrantLock fetching = new ReentrantLock();
  private final AtomicBoolean refilling = new AtomicBoolean();
  private final Errand errand;
  private final ArrayDeque<Segment> ready = new ArrayDeque<>();
  private final Pace pace;
  private volatile Segment current = new Segment(0, 0);
  private long usedSince;
  private long retryNanos = FIRST_RETRY_NANOS;
  private volatile @Nullable RuntimeException trouble;
  private volatile boolean closed;

  SegmentIds(Numbers numbers, SegmentOptions options, World world) {
    this.numbers = numbers;
    this.options = options;
    this.world = world;
    this.errand = new Errand(world.callbacks());
    this.pace =
        new Pace(
            options.lasting().toNanos() / READY,
            numbers.require(options.leastStep()),
            Math.min(options.mostStep(), numbers.most()));
    refill();
  }

  @Override
  public long next() {
    Segment segment = current;
    long id = segment.getAndIncrement();
    return id < segment.end ? id : take(1);
  }

  @Override
  public IdBlock block(int count) {
    long ignored = numbers.require(count);
    return new IdBlock(take(count), count);
  }

  private long take(int count) {
    long deadline = world.nanoTime() + options.patience().toNanos();
    while (true) {
      Segment segment = current;
      // Those that do not fit are wasted: a row of ids must not be torn.
      long first = segment.getAndAdd(count);
      if (first <= segment.end - count) {
        return first;
      }
      if (closed) {
        throw new IdsUnavailableException("the generator of ids " + numbers + " is closed", null);
      }
      if (!advance(segment)) {
        fetchInTime(count, deadline - world.nanoTime());
      }
    }
  }

  /** Puts the next block in the place of a used one; answers whether there was one. */
  private boolean advance(Segment used) {
    shelf.lock();
    try {
      if (current != used) {
        return true;
      }
      Segment next = ready.poll();
      long now = world.nanoTime();
      if (next == null) {
        return false;
      }
      if (used.end > used.first) {
        pace.used(used.end - used.first, now - usedSince);
      }
      usedSince = now;
      current = next;
    } finally {
      shelf.unlock();
    }
    refill();
    return true;
  }

  private void fetchInTime(int count, long nanos) {
    try {
      if (nanos <= 0 || !errand.await(() -> fetchIfEmpty(count), nanos)) {
        throw new IdsUnavailableException(
            "no ids " + numbers + " within " + options.patience(), trouble);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IdsUnavailableException("interrupted while waiting for ids " + numbers, e);
    }
  }

  private void fetchIfEmpty(int count) {
    fetching.lock();
    try {
      if (!closed && isEmpty()) {
        fetch(count);
      }
    } finally {
      fetching.unlock();
    }
  }

  private boolean isEmpty() {
    shelf.lock();
    try {
      return ready.isEmpty() && current.left() == 0;
    } finally {
      shelf.unlock();
    }
  }

  /** Fetches one block; the caller has the turn to fetch. */
  private void fetch(int least) {
    long step = Math.max(least, step());
    long first;
    try {
      first = numbers.take(step);
    } catch (RuntimeException e) {
      trouble = e;
      throw e;
    }
    trouble = null;
    shelf.lock();
    try {
      ready.add(new Segment(first, first + step));
    } finally {
      shelf.unlock();
    }
  }

  private long step() {
    shelf.lock();
    try {
      return pace.step();
    } finally {
      shelf.unlock();
    }
  }

  private boolean isFull() {
    shelf.lock();
    try {
      return ready.size() >= READY;
    } finally {
      shelf.unlock();
    }
  }

  /** Has the shelf filled in the background, if nobody is at it. */
  private void refill() {
    if (!closed && !isFull() && refilling.compareAndSet(false, true)) {
      world.callbacks().execute(this::fill);
    }
  }

  private void fill() {
    boolean done = false;
    try {
      while (!closed && !isFull()) {
        fetching.lock();
        try {
          fetch(1);
        } finally {
          fetching.unlock();
        }
      }
      retryNanos = FIRST_RETRY_NANOS;
      done = true;
    } catch (RuntimeException e) {
      trouble = e;
    } finally {
      if (done) {
        refilling.set(false);
        // Somebody may have taken one since the last look.
        refill();
      } else {
        later();
      }
    }
  }

  private void later() {
    Runnable ignored =
        world.schedule(
            retryNanos,
            () -> {
              refilling.set(false);
              refill();
            });
    retryNanos = Math.min(LONGEST_RETRY_NANOS, 2 * retryNanos);
  }

  @Override
  public IdFacts describe(long id) {
    return IdFacts.counted(id);
  }

  @Override
  public Supply supply() {
    if (closed) {
      return Supply.closed("the generator of ids " + numbers);
    }
    shelf.lock();
    try {
      long ids = current.left() + ready.stream().mapToLong(Segment::left).sum();
      RuntimeException lately = trouble;
      Supply.Status status =
          lately == null ? Supply.Status.UP : ids == 0 ? Supply.Status.DOWN : Supply.Status.WARN;
      return new Supply(
          status,
          ids + " ids " + numbers + " at hand",
          Optional.of(Duration.ofNanos(pace.nanos(ids))),
          lately == null ? List.of() : List.of(String.valueOf(lately.getMessage())));
    } finally {
      shelf.unlock();
    }
  }

  /** The last block first: each can be given back only if nothing behind it is taken. */
  @Override
  public void close() {
    closed = true;
    fetching.lock();
    try {
      ArrayDeque<Segment> unused = new ArrayDeque<>();
      shelf.lock();
      try {
        unused.addAll(ready);
        unused.addFirst(current);
        ready.clear();
        current = new Segment(0, 0);
      } finally {
        shelf.unlock();
      }
      boolean back = true;
      while (back && !unused.isEmpty()) {
        Segment last = unused.removeLast();
        // From here on no id of it is given out.
        long from = last.getAndSet(last.end);
        back = numbers.giveBack(from, last.end) && from == last.first;
      }
    } finally {
      fetching.unlock();
    }
  }
}
