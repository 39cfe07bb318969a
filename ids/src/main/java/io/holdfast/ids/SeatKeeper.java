package io.holdfast.ids;

import io.holdfast.World;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a generator has a worker number with reserved time ahead: leases one, extends its
 * time, and goes over to another when it is lost or others use up its time. One thread at a time
 * does so; it blocks for the store.
 */
final class SeatKeeper {

  /** So long callers leave a store alone that has just failed. */
  private static final long REST_NANOS = 100_000_000;

  private static final long PAUSE_NANOS = 10_000_000;
  private static final long LEAST_PAUSE_NANOS = 250_000_000;
  private static final int ROUNDS_IN_A_PAUSE = 4;

  private final TimelineTrouble words;
  private final TimelineOptions options;
  private final Layout layout;
  private final World world;
  private final Seats seats;
  private final AtomicLong last;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile @Nullable Seat seat;
  private volatile @Nullable RuntimeException trouble;
  private volatile boolean closed;
  private long failedAt;

  /**
   * A keeper that has no seat yet.
   *
   * @param last the tick and the sequence of the last id, as {@link TimelineIds} has it
   */
  SeatKeeper(TimelineTrouble words, World world, Seats seats, AtomicLong last) {
    this.words = words;
    this.options = words.options();
    this.layout = options.layout();
    this.world = world;
    this.seats = seats;
    this.last = last;
  }

  /** What ids are made with now; null if there is nothing. */
  @Nullable Seat seat() {
    return seat;
  }

  /** Why the store was of no use the last time; null if it was. */
  @Nullable RuntimeException trouble() {
    return trouble;
  }

  boolean isClosed() {
    return closed;
  }

  /** Waits for its turn, and for the store. */
  void keep() {
    turn.lock();
    try {
      attempt();
    } finally {
      turn.unlock();
    }
  }

  /**
   * For the start: as {@link #keep()}, and while no number is free it asks again, for as long as
   * the options say. A round asks for every number, so the pause after it is longer than the round.
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
        if (!e.isNoWorker() || wait == 0) {
          throw e;
        }
        if (left <= 0) {
          throw words.waitedInVain(e);
        }
        long pause = Math.max(LEAST_PAUSE_NANOS, ROUNDS_IN_A_PAUSE * (now - began));
        // Not all of those that were started together ask at the same time.
        long jitter = Math.floorMod(world.secret(), pause / 2);
        pause(Math.min(left, pause - pause / 4 + jitter));
      }
    }
  }

  /** Not shorter if the park ends early for no reason. */
  private void pause(long nanos) {
    long start = world.nanoTime();
    for (long left = nanos; left > 0; left = nanos - (world.nanoTime() - start)) {
      world.park(this, left);
      if (Thread.currentThread().isInterrupted()) {
        throw words.interrupted(new InterruptedException());
      }
    }
  }

  /** For the upkeep: what fails is remembered, and tried again the next time. */
  void keepUp() {
    if (turn.tryLock()) {
      try {
        attempt();
      } catch (RuntimeException e) {
        trouble = e;
      } finally {
        turn.unlock();
      }
    }
  }

  /**
   * For callers that have no ids: returns when it is worth looking again. While the store fails,
   * they do not ask it more often than every tenth of a second, however many they are.
   *
   * @param nanos how long to wait for the turn
   */
  void keepInTime(long nanos) {
    boolean rests = false;
    try {
      if (turn.tryLock(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
        try {
          rests = trouble != null && world.nanoTime() - failedAt < REST_NANOS;
          if (!rests) {
            attempt();
          }
        } finally {
          turn.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw words.interrupted(e);
    }
    if (rests) {
      world.park(this, PAUSE_NANOS);
    }
  }

  private void attempt() {
    if (closed) {
      return;
    }
    try {
      secure();
      trouble = null;
    } catch (RuntimeException e) {
      failedAt = world.nanoTime();
      trouble = e;
      throw e;
    }
  }

  private void secure() {
    Seat held = seat;
    if (held != null && held.isLost()) {
      seat = null;
      held.shut();
      seats.leave(held, Long.MAX_VALUE);
      held = null;
    }
    if (held == null) {
      sit(seats.take());
    } else if (held.isHeld()) {
      extend(held);
    }
  }

  private void extend(Seat held) {
    try {
      seats.more(held).ifPresent(more -> add(held, more));
    } catch (IdsUnavailableException e) {
      if (!held.isOvertaken() || options.worker().isPresent()) {
        throw e;
      }
      move(held, e);
    }
  }

  private void add(Seat held, Seat.Span more) {
    if (more.from() != held.endMicros()) {
      // First, so that no id is made in the gap, which may be somebody else's time.
      raise(ceil(more.from()));
    }
    held.add(more);
  }

  /** To another number: what the old one has left is kept until there is one. */
  private void move(Seat held, IdsUnavailableException reason) {
    Seat fresh;
    try {
      fresh = seats.take();
    } catch (IdsUnavailableException e) {
      e.addSuppressed(reason);
      throw e;
    }
    held.shut();
    sit(fresh);
    seats.leave(held, Long.MAX_VALUE);
  }

  private void sit(Seat fresh) {
    // Beyond the last tick: a smaller worker number would make a smaller id in it. And beyond the
    // last number in any case, so that whoever is about to raise that for a former seat fails.
    int bits = layout.sequenceBits();
    long ignored = last.updateAndGet(before -> ((((before + 1) >> bits) + 1) << bits) - 1);
    raise(layout.tickAt(world.epochMicros()));
    raise(ceil(fresh.fromMicros()));
    seat = fresh;
  }

  /** No id is made in a tick before this one any more. */
  private void raise(long tick) {
    long ignored = last.accumulateAndGet((tick << layout.sequenceBits()) - 1, Math::max);
  }

  private long ceil(long micros) {
    return layout.tickAt(micros + layout.tickMicros() - 1);
  }

  /**
   * From here on no id is made; what was reserved behind the last one is free again. Idempotent.
   *
   * @param end a number that no id reaches
   */
  void close(long end) {
    closed = true;
    turn.lock();
    try {
      long before = last.getAndSet(end);
      Seat held = seat;
      seat = null;
      if (held != null && before != end) {
        seats.leave(held, layout.microsAt((before >> layout.sequenceBits()) + 1));
      }
    } finally {
      turn.unlock();
    }
  }
}
