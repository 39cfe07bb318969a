package io.holdfast.tck;

import io.holdfast.World;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A world whose time advances only when a test advances it.
 *
 * <p>{@link #advance} goes from one due moment to the next: it runs timers in their order on the
 * calling thread, wakes the threads that are due, and continues only when they have parked again,
 * ended or blocked. So a live holder renews while time is advanced, however far; {@link
 * Sandbox#pause} and {@link Sandbox#expire} let a lease run out.
 *
 * <p>The thread that created the object, or that called {@link #drive} last, is the driver. When
 * the driver has to wait inside Holdfast, time advances by itself to the next event: a test with
 * one thread never hangs. All other threads wait until the driver advances time.
 *
 * <p>Callbacks run on their own daemon threads, where they may block. {@code advance} waits for
 * them as for all other threads, for each at most {@link #PATIENCE} of real time.
 */
public final class ManualTime implements World {

  /** How long {@link #advance} waits, in real time, for a thread that is still running. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Instant BEGINNING = Instant.parse("2030-01-01T00:00:00Z");
  private static final AtomicLong SEEDS = new AtomicLong(42);

  /** The values of all clocks at one moment. */
  private record Moment(long nanos, long wallNanos, long suspended) {

    Moment plus(long passed) {
      return new Moment(nanos + passed, wallNanos + passed, suspended);
    }
  }

  private record Timer(long at, long number, Runnable task) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock advancing = new ReentrantLock();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          (a, b) -> a.at == b.at ? Long.compare(a.number, b.number) : Long.compare(a.at - b.at, 0));
  private final ThreadTracker threads = new ThreadTracker();
  private final SplittableRandom random = new SplittableRandom(SEEDS.getAndIncrement());

  private volatile Moment now;
  private volatile Thread driver = Thread.currentThread();
  private long timersMade;

  /** Starts at {@code nanoTime} 0, on 1 January 2030. */
  public ManualTime() {
    this(0);
  }

  /**
   * Starts at this {@link #nanoTime()}. A value close to {@link Long#MAX_VALUE} reveals code that
   * compares instants instead of differences.
   */
  public ManualTime(long nanoTime) {
    now = new Moment(nanoTime, BEGINNING.getEpochSecond() * 1_000_000_000, 0);
  }

  @Override
  public long nanoTime() {
    return now.nanos;
  }

  @Override
  public long epochMicros() {
    return now.wallNanos / 1000;
  }

  /**
   * The monotonic clock of a store, on a host that is not suspended together with this one.
   *
   * @see #suspend
   */
  public long storeTime() {
    Moment moment = now;
    return moment.nanos + moment.suspended;
  }

  /** Makes the calling thread the driver: time advances by itself when it has to wait. */
  public void drive() {
    driver = Thread.currentThread();
  }

  /**
   * Lets this much time pass, event by event.
   *
   * @throws IllegalArgumentException if the duration is negative
   * @throws IllegalStateException if called by a timer
   */
  public void advance(Duration duration) {
    advance(duration, PATIENCE);
  }

  /**
   * Lets this much time pass, event by event.
   *
   * @param patience how long to wait, in real time, for a thread that is still running
   * @throws IllegalArgumentException if the duration is negative
   * @throws IllegalStateException if called by a timer
   */
  public void advance(Duration duration, Duration patience) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "duration must not be negative: duration=" + DurationText.of(duration));
    }
    begin();
    try {
      long end = now.nanos + duration.toNanos();
      threads.settle(patience);
      while (step(end)) {
        threads.settle(patience);
      }
    } finally {
      advancing.unlock();
    }
  }

  /** Steps the wall clock only, forward or back, as an operator or a time server does. */
  public void stepWall(Duration step) {
    lock.lock();
    try {
      now = new Moment(now.nanos, now.wallNanos + step.toNanos(), now.suspended);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Suspends the host for this long: the wall clock and {@link #storeTime()} advance, the monotonic
   * clock and all timers stop.
   */
  public void suspend(Duration duration) {
    lock.lock();
    try {
      long missed = duration.toNanos();
      now = new Moment(now.nanos, now.wallNanos + missed, now.suspended + missed);
    } finally {
      lock.unlock();
    }
  }

  /** Waits in real time until the thread is parked here. */
  public void awaitParked(Thread thread) {
    threads.awaitParked(thread);
  }

  /** Waits in real time until this many threads are parked here. */
  public void awaitParked(int count) {
    threads.awaitParked(count);
  }

  /** Waits in real time until all threads of this world are idle, at most {@link #PATIENCE}. */
  public void settle() {
    threads.settle(PATIENCE);
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    if (delayNanos <= 0 && !advancing.isHeldByCurrentThread()) {
      // Already due: it must not wait until time is advanced.
      callbacks().execute(task);
      return () -> {};
    }
    lock.lock();
    try {
      Timer timer = new Timer(now.nanos + Math.max(0, delayNanos), timersMade++, task);
      timers.add(timer);
      return () -> cancel(timer);
    } finally {
      lock.unlock();
    }
  }

  private void cancel(Timer timer) {
    lock.lock();
    try {
      timers.remove(timer);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void park(Object blocker, long nanos) {
    if (nanos <= 0 || Thread.currentThread().isInterrupted()) {
      return;
    }
    boolean drives = Thread.currentThread() == driver && !advancing.isHeldByCurrentThread();
    if (!drives || !passUntilNext(nanos)) {
      threads.park(blocker, now.nanos, nanos);
    }
  }

  /** Advances to the next event within the driver's wait; returns false if there is none. */
  private boolean passUntilNext(long nanos) {
    begin();
    try {
      threads.settle(PATIENCE);
      Long next = nextMoment();
      if (next == null && nanos == Long.MAX_VALUE) {
        return false;
      }
      long end = nanos == Long.MAX_VALUE ? next : now.nanos + nanos;
      step(next == null || end - next < 0 ? end : next);
      threads.settle(PATIENCE);
      return true;
    } finally {
      advancing.unlock();
    }
  }

  private void begin() {
    if (advancing.isHeldByCurrentThread()) {
      throw new IllegalStateException("a timer must not advance time");
    }
    advancing.lock();
  }

  /** Runs the next event; returns false if the end is reached and nothing is due. */
  private boolean step(long end) {
    Timer due = null;
    lock.lock();
    try {
      Long next = nextMoment();
      long to = next == null || next - end > 0 ? end : next;
      now = now.plus(Math.max(0, to - now.nanos));
      // One at a time: a task may cancel another task that is due at the same moment.
      if (!timers.isEmpty() && timers.element().at - now.nanos <= 0) {
        due = timers.remove();
      }
    } finally {
      lock.unlock();
    }
    boolean woke = threads.wakeDue(now.nanos);
    if (due != null) {
      due.task.run();
    }
    return woke || due != null || now.nanos != end;
  }

  private @Nullable Long nextMoment() {
    Long wake = threads.nextWake();
    lock.lock();
    try {
      Timer first = timers.peek();
      if (first == null || wake == null) {
        return first == null ? wake : Long.valueOf(first.at);
      }
      return wake - first.at < 0 ? wake : Long.valueOf(first.at);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Executor callbacks() {
    return task -> start("manual-callback", task);
  }

  @Override
  public Thread start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    threads.track(thread);
    thread.start();
    return thread;
  }

  /** Returns numbers of a fixed sequence: a test that runs alone sees the same every time. */
  @Override
  public long secret() {
    lock.lock();
    try {
      return random.nextLong();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "manual time at " + Duration.ofNanos(now.nanos);
  }
}
