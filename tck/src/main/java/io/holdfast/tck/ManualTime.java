package io.holdfast.tck;

import io.holdfast.World;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until it is moved by hand.
 *
 * <p>{@link #advance} goes from one due moment to the next: it runs timers in their order on the
 * calling thread, wakes the threads whose time has come, and goes on only when they have parked
 * again, ended or blocked. So a live holder renews while time is advanced, however far; {@link
 * Sandbox#pause} and {@link Sandbox#expire} let a lease run out.
 *
 * <p>The thread that made it, or called {@link #drive}, is the one that drives. When this thread
 * has to wait inside Holdfast, time moves by itself to whatever happens next: a test of one thread
 * never hangs. All other threads wait until the driver moves time.
 *
 * <p>Callbacks run on daemon threads of their own, where they may block; {@code advance} waits for
 * them as for all other threads, at most {@linkplain #PATIENCE a moment} of real time for each.
 */
public final class ManualTime implements World {

  /** How long {@link #advance} waits, in real time, for a thread that is still running. */
  public static final Duration PATIENCE = Duration.ofMillis(500);

  private static final Instant BEGINNING = Instant.parse("2030-01-01T00:00:00Z");
  private static final AtomicLong SEEDS = new AtomicLong(42);

  /** All clocks at one moment. */
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
  private final KnownThreads threads = new KnownThreads();
  private final SplittableRandom random = new SplittableRandom(SEEDS.getAndIncrement());

  private volatile Moment now;
  private volatile Thread driver = Thread.currentThread();
  private long timersMade;

  /** Time that begins at 0 and on the first of January 2030. */
  public ManualTime() {
    this(0);
  }

  /**
   * Time whose {@link #nanoTime()} begins at this value; a value close to {@link Long#MAX_VALUE}
   * shows code that compares instants instead of differences.
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
   * The monotonic clock of a machine that is not suspended with this one: give it to the store.
   *
   * @see #suspend
   */
  public long storeTime() {
    Moment moment = now;
    return moment.nanos + moment.suspended;
  }

  /** Makes the calling thread the one for which time moves by itself when it has to wait. */
  public void drive() {
    driver = Thread.currentThread();
  }

  /**
   * Lets this much time pass, step by step.
   *
   * @throws IllegalStateException when called by a timer
   */
  public void advance(Duration duration) {
    advance(duration, PATIENCE);
  }

  void advance(Duration duration, Duration patience) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not go back: duration=" + duration);
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

  /** Moves the wall clock alone, forth or back, as an operator or a time server does. */
  public void stepWall(Duration step) {
    lock.lock();
    try {
      now = new Moment(now.nanos, now.wallNanos + step.toNanos(), now.suspended);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Suspends the host: the wall clock and the {@linkplain #storeTime() store's time} move, the
   * monotonic clock and all timers stand still.
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

  /** Waits in real time until no thread that is known here runs, or patience ends. */
  public void settle() {
    threads.settle(PATIENCE);
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    if (delayNanos <= 0 && !advancing.isHeldByCurrentThread()) {
      // Due already, and nobody may ever advance: it must not wait for that.
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

  /** Goes to the next thing that happens, within the driver's wait; false when there is none. */
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

  /** Does the next thing until then; false when the end is reached and nothing is left to do. */
  private boolean step(long end) {
    Timer due = null;
    lock.lock();
    try {
      Long next = nextMoment();
      long to = next == null || next - end > 0 ? end : next;
      now = now.plus(Math.max(0, to - now.nanos));
      // One at a time: a task may cancel another one that is due at the same moment.
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
    threads.know(thread);
    thread.start();
    return thread;
  }

  /** From a fixed sequence: a test that is run alone sees the same numbers every time. */
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
