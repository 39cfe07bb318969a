package io.holdfast.ids.internal;

import io.holdfast.World;
import io.holdfast.ids.IdLayout;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.TimelineOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a worker number with reserved time for a generator.
 *
 * <p>It leases a number, extends its time, and moves to another number if the lease is lost or
 * other generators use up its time. One thread at a time does this, and blocks for the store.
 */
final class WorkerLeaseKeeper {

  /** How long callers do not ask a store that has just failed. */
  private static final long BACKOFF_NANOS = 100_000_000;

  private static final long PAUSE_NANOS = 10_000_000;
  private static final long LEAST_PAUSE_NANOS = 250_000_000;
  private static final int ROUNDS_IN_A_PAUSE = 4;

  private final TimelineMessages messages;
  private final TimelineOptions options;
  private final IdLayout layout;
  private final World world;
  private final WorkerLeases leases;
  private final AtomicLong last;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile @Nullable WorkerLease lease;
  private volatile @Nullable RuntimeException failure;
  private volatile boolean closed;
  private volatile boolean noFreeWorker;
  private long failedAt;

  /**
   * Creates a keeper that has no lease yet.
   *
   * @param last the tick and the sequence of the last id, as {@link TimelineIds} has it
   */
  WorkerLeaseKeeper(TimelineMessages messages, World world, WorkerLeases leases, AtomicLong last) {
    this.messages = messages;
    this.options = messages.options();
    this.layout = options.layout();
    this.world = world;
    this.leases = leases;
    this.last = last;
  }

  /** Returns the current lease; null if there is none. */
  @Nullable WorkerLease lease() {
    return lease;
  }

  /** Returns why the last attempt failed; null if it succeeded. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  boolean isClosed() {
    return closed;
  }

  /** Leases or extends; waits for its turn and for the store. */
  void keep() {
    turn.lock();
    try {
      attempt();
    } finally {
      turn.unlock();
    }
  }

  /**
   * As {@link #keep()}, for the start: if no number is free, tries again for {@link
   * TimelineOptions#workerWait()}. One round tries every number, so the pause is longer than a
   * round.
   */
  void keepFirst() {
    long start = world.nanoTime();
    long wait = options.workerWait().toNanos();
    while (true) {
      long began = world.nanoTime();
      try {
        keep();
        return;
      } catch (IdsUnavailableException e) {
        long now = world.nanoTime();
        long left = wait - (now - start);
        if (!noFreeWorker || wait == 0) {
          throw e;
        }
        if (left <= 0) {
          throw messages.workerWaitOver(e);
        }
        long pause = Math.max(LEAST_PAUSE_NANOS, ROUNDS_IN_A_PAUSE * (now - began));
        // Jitter: generators that were started together do not try at the same time.
        long jitter = Math.floorMod(world.secret(), pause / 2);
        pause(Math.min(left, pause - pause / 4 + jitter));
      }
    }
  }

  /** Pauses for the full time even if a park ends spuriously. */
  private void pause(long nanos) {
    long start = world.nanoTime();
    for (long left = nanos; left > 0; left = nanos - (world.nanoTime() - start)) {
      world.park(this, left);
      if (Thread.currentThread().isInterrupted()) {
        throw messages.interrupted(new InterruptedException());
      }
    }
  }

  /** For the periodic task: a failure is recorded, and the next run tries again. */
  void keepQuietly() {
    if (turn.tryLock()) {
      try {
        attempt();
      } catch (RuntimeException e) {
        failure = e;
      } finally {
        turn.unlock();
      }
    }
  }

  /**
   * For callers without ids: returns when it is worth trying again. While the store fails, all
   * callers together ask it at most every 100 ms.
   *
   * @param nanos how long to wait for the turn
   */
  void keepInTime(long nanos) {
    boolean backsOff = false;
    try {
      if (turn.tryLock(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
        try {
          backsOff = failure != null && world.nanoTime() - failedAt < BACKOFF_NANOS;
          if (!backsOff) {
            attempt();
          }
        } finally {
          turn.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw messages.interrupted(e);
    }
    if (backsOff) {
      world.park(this, PAUSE_NANOS);
    }
  }

  private void attempt() {
    if (closed) {
      return;
    }
    try {
      noFreeWorker = false;
      leaseOrExtend();
      failure = null;
    } catch (NoFreeWorkerException e) {
      noFreeWorker = true;
      throw failed(e.toUnavailable());
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(RuntimeException e) {
    failedAt = world.nanoTime();
    failure = e;
    return e;
  }

  private void leaseOrExtend() {
    WorkerLease held = lease;
    if (held != null && held.isLost()) {
      lease = null;
      held.stop();
      leases.leave(held, Long.MAX_VALUE);
      held = null;
    }
    if (held == null) {
      use(leases.take());
    } else if (held.isHeld()) {
      extend(held);
    }
  }

  private void extend(WorkerLease held) {
    try {
      leases.more(held).ifPresent(more -> add(held, more));
    } catch (IdsUnavailableException e) {
      if (!held.isOvertaken() || options.worker().isPresent()) {
        throw e;
      }
      move(held, e);
    }
  }

  private void add(WorkerLease held, WorkerLease.Span more) {
    if (more.from() != held.endMicros()) {
      // First, so that no id is generated in the gap, which may be another generator's time.
      raise(ceil(more.from()));
    }
    held.add(more);
  }

  /** Moves to another number; the old one stays in use until then. */
  private void move(WorkerLease held, IdsUnavailableException reason) {
    WorkerLease fresh;
    try {
      fresh = leases.take();
    } catch (IdsUnavailableException | NoFreeWorkerException e) {
      e.addSuppressed(reason);
      throw e;
    }
    held.stop();
    use(fresh);
    leases.leave(held, Long.MAX_VALUE);
  }

  private void use(WorkerLease fresh) {
    // Beyond the last tick: a smaller worker number would make a smaller id in it. Always beyond
    // the
    // last number, so that a thread that is about to raise it for the old lease fails.
    int bits = layout.sequenceBits();
    long ignored = last.updateAndGet(before -> ((((before + 1) >> bits) + 1) << bits) - 1);
    raise(LayoutMath.tickAt(layout, world.epochMicros()));
    raise(ceil(fresh.fromMicros()));
    lease = fresh;
  }

  /** Prevents ids in ticks before this one. */
  private void raise(long tick) {
    long ignored = last.accumulateAndGet((tick << layout.sequenceBits()) - 1, Math::max);
  }

  private long ceil(long micros) {
    return LayoutMath.tickAt(layout, micros + LayoutMath.tickMicros(layout) - 1);
  }

  /**
   * Stops ids, and gives back the time that was reserved behind the last id. Idempotent.
   *
   * @param end a number that no id reaches
   */
  void close(long end) {
    closed = true;
    turn.lock();
    try {
      long before = last.getAndSet(end);
      WorkerLease held = lease;
      lease = null;
      if (held != null && before != end) {
        leases.leave(held, LayoutMath.microsAt(layout, (before >> layout.sequenceBits()) + 1));
      }
    } finally {
      turn.unlock();
    }
  }
}
