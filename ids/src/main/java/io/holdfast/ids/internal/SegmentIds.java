package io.holdfast.ids.internal;

import io.holdfast.World;
import io.holdfast.ids.IdBlock;
import io.holdfast.ids.IdFacts;
import io.holdfast.ids.Ids;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.SegmentOptions;
import io.holdfast.ids.Supply;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A generator over blocks that are fetched ahead; see {@link Ids#segment}. */
final class SegmentIds implements LongIds {

  /*
   * An id is one atomic addition to the block in use. A thread that finds the block used up replaces
   * it by the next one; enough blocks are ready to last for the configured time. One thread at a
   * time fetches blocks, and they are queued in the order in which the store gave them out, so the
   * ids of a generator rise. Callers never fetch blocks themselves: the store may take longer than
   * their patience.
   */

  /** How many blocks are kept ready behind the block in use. */
  private static final int READY = 3;

  private static final long FIRST_RETRY_NANOS = 50_000_000;
  private static final long LONGEST_RETRY_NANOS = 1_000_000_000;

  private final StoreCounter counter;
  private final SegmentOptions options;
  private final World world;
  private final ReentrantLock blocks = new ReentrantLock();
  private final ReentrantLock fetching = new ReentrantLock();
  private final AtomicBoolean refilling = new AtomicBoolean();
  private final SharedTask fetchTask;
  private final ArrayDeque<Segment> ready = new ArrayDeque<>();
  private final BlockSizePolicy blockSize;
  private volatile Segment current = new Segment(0, 0);
  private long usedSince;
  private long retryNanos = FIRST_RETRY_NANOS;
  private volatile @Nullable RuntimeException failure;
  private volatile boolean closed;

  SegmentIds(StoreCounter counter, SegmentOptions options, World world) {
    this.counter = counter;
    this.options = options;
    this.world = world;
    this.fetchTask = new SharedTask(world.callbacks());
    this.blockSize =
        new BlockSizePolicy(
            options.lasting().toNanos() / READY,
            counter.require(options.leastStep()),
            Math.min(options.mostStep(), counter.most()));
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
    long ignored = counter.require(count);
    return new IdBlock(take(count), count);
  }

  private long take(int count) {
    long deadline = world.nanoTime() + options.patience().toNanos();
    while (true) {
      Segment segment = current;
      // A remainder that is too small is wasted: a block must be consecutive.
      long first = segment.getAndAdd(count);
      if (first <= segment.end - count) {
        return first;
      }
      if (closed) {
        throw new IdsUnavailableException("the generator of ids " + counter + " is closed", null);
      }
      if (!advance(segment)) {
        fetchInTime(count, deadline - world.nanoTime());
      }
    }
  }

  /** Replaces a used block by the next one; returns false if there is none. */
  private boolean advance(Segment used) {
    blocks.lock();
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
        blockSize.used(used.end - used.first, now - usedSince);
      }
      usedSince = now;
      current = next;
    } finally {
      blocks.unlock();
    }
    refill();
    return true;
  }

  private void fetchInTime(int count, long nanos) {
    try {
      if (nanos <= 0 || !fetchTask.await(() -> fetchIfEmpty(count), nanos)) {
        throw new IdsUnavailableException(
            "no ids " + counter + " within " + DurationText.of(options.patience()), failure);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IdsUnavailableException("interrupted while waiting for ids " + counter, e);
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
    blocks.lock();
    try {
      return ready.isEmpty() && current.left() == 0;
    } finally {
      blocks.unlock();
    }
  }

  /** Fetches one block; the caller holds the lock {@code fetching}. */
  private void fetch(int least) {
    long step = Math.max(least, step());
    long first;
    try {
      first = counter.take(step);
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
    failure = null;
    blocks.lock();
    try {
      ready.add(new Segment(first, first + step));
    } finally {
      blocks.unlock();
    }
  }

  private long step() {
    blocks.lock();
    try {
      return blockSize.step();
    } finally {
      blocks.unlock();
    }
  }

  private boolean isFull() {
    blocks.lock();
    try {
      return ready.size() >= READY;
    } finally {
      blocks.unlock();
    }
  }

  /** Starts to fetch blocks in the background, unless that is in progress. */
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
      failure = e;
    } finally {
      if (done) {
        refilling.set(false);
        // A block may have been taken since the last look.
        refill();
      } else {
        retryLater();
      }
    }
  }

  private void retryLater() {
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
    return CounterIds.facts(id);
  }

  @Override
  public Supply supply() {
    if (closed) {
      return SupplyStates.closed("the generator of ids " + counter);
    }
    blocks.lock();
    try {
      long ids = current.left() + ready.stream().mapToLong(Segment::left).sum();
      RuntimeException last = failure;
      Supply.Status status =
          last == null ? Supply.Status.UP : ids == 0 ? Supply.Status.DOWN : Supply.Status.WARN;
      return new Supply(
          status,
          ids + " ids " + counter + " available",
          Optional.of(Duration.ofNanos(blockSize.nanos(ids))),
          last == null ? List.of() : List.of(String.valueOf(last.getMessage())));
    } finally {
      blocks.unlock();
    }
  }

  /** Gives back the last block first: a block can be given back only if it is the last one. */
  @Override
  public void close() {
    closed = true;
    fetching.lock();
    try {
      ArrayDeque<Segment> unused = new ArrayDeque<>();
      blocks.lock();
      try {
        unused.addAll(ready);
        unused.addFirst(current);
        ready.clear();
        current = new Segment(0, 0);
      } finally {
        blocks.unlock();
      }
      boolean back = true;
      while (back && !unused.isEmpty()) {
        Segment segment = unused.removeLast();
        // From here on, no id of it is given out.
        long from = segment.getAndSet(segment.end);
        back = counter.giveBack(from, segment.end) && from == segment.first;
      }
    } finally {
      fetching.unlock();
    }
  }
}
