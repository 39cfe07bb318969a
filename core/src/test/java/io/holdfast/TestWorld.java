package io.holdfast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A world whose time stands still until a test moves it. Timers run in order on the thread that
 * moves the time; callbacks wait until then, or until {@link #runCallbacks()}.
 *
 * <p>Threads that park are woken when the time that they gave has passed here, or by being
 * unparked. After {@link #drive()} the calling thread never really parks: its waiting moves the
 * time instead, so that a test of one thread needs no other.
 */
public final class TestWorld implements World {

  /** Just before the clock overflows, which must have no effect. */
  private static final long START = Long.MAX_VALUE - 20_000_000_000L;

  private static final long WALL_START = 1_700_000_000_000_000L;
  private static final long REAL_BOUND = 20_000_000_000L;
  private static final int MOST_SPINS = 10_000;

  private record Timer(long at, long number, Runnable task) {}

  private record Parked(Thread thread, boolean limited, long until) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          (a, b) -> a.at == b.at ? Long.compare(a.number, b.number) : Long.signum(a.at - b.at));
  private final Set<Parked> parked = ConcurrentHashMap.newKeySet();
  private final Queue<Runnable> queued = new ConcurrentLinkedQueue<>();
  private final List<Thread> started = new CopyOnWriteArrayList<>();
  private final AtomicInteger schedules = new AtomicInteger();
  private final AtomicInteger readsUntil = new AtomicInteger();
  private final AtomicLong wallAhead = new AtomicLong();
  private final SplittableRandom random;

  private volatile long now = START;
  private final AtomicInteger refusedCallbacks = new AtomicInteger();
  private volatile Supplier<? extends Throwable> noThreads;
  private volatile Runnable whenRead;
  private volatile boolean callbacksOnThreads;
  private volatile Thread driver;
  private long numbers;
  private int spins;

  public TestWorld() {
    this(42);
  }

  TestWorld(long seed) {
    random = new SplittableRandom(seed);
  }

  /** From here on, waiting of this thread moves the time. */
  TestWorld drive() {
    driver = Thread.currentThread();
    return this;
  }

  /** From here on, each callback runs at once on a thread of its own. */
  TestWorld callbacksOnThreads() {
    callbacksOnThreads = true;
    return this;
  }

  @Override
  public long nanoTime() {
    Runnable hook = whenRead;
    if (hook != null && readsUntil.decrementAndGet() == 0) {
      whenRead = null;
      hook.run();
    }
    return now;
  }

  /** Does something at a later reading of the clock: the runtime reads it wherever it matters. */
  void whenRead(int readings, Runnable action) {
    readsUntil.set(readings);
    whenRead = action;
  }

  /** Whether that reading has come, or none was awaited. */
  boolean wasRead() {
    return whenRead == null;
  }

  @Override
  public long epochMicros() {
    return WALL_START + (now - START) / 1000 + wallAhead.get();
  }

  /** Moves the wall clock alone: the host was suspended, or its clock was set. */
  void stepWall(Duration by) {
    wallAhead.addAndGet(by.toNanos() / 1000);
  }

  /** How much time has passed in this world. */
  Duration elapsed() {
    return Duration.ofNanos(now - START);
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    schedules.incrementAndGet();
    lock.lock();
    try {
      Timer timer = new Timer(now + Math.max(0, delayNanos), ++numbers, task);
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

  /** How often a timer was set. */
  public int schedules() {
    return schedules.get();
  }

  /** How many timers are set and have not run. */
  public int pendingTimers() {
    lock.lock();
    try {
      return timers.size();
    } finally {
      lock.unlock();
    }
  }

  /** Moves the time and runs what falls due, each at its own time. */
  public void advance(Duration by) {
    long target = now + by.toNanos();
    runCallbacks();
    for (Timer due = pollDue(target); due != null; due = pollDue(target)) {
      runAt(due);
    }
    moveTo(target);
    runCallbacks();
  }

  /** Moves the time while the process is paused: timers that fall due run at the next chance. */
  void pass(Duration time) {
    moveTo(now + time.toNanos());
  }

  public void advanceMillis(long millis) {
    advance(Duration.ofMillis(millis));
  }

  /** Moves the time from timer to timer until the condition holds; fails when it takes longer. */
  void advanceUntil(String what, Duration most, BooleanSupplier condition) {
    long target = now + most.toNanos();
    runCallbacks();
    while (!condition.getAsBoolean()) {
      Timer due = pollDue(target);
      if (due == null) {
        throw new AssertionError("did not happen within " + most + " of this world: " + what);
      }
      runAt(due);
    }
  }

  /**
   * Moves the time in small steps until the condition holds. For tests with real threads: the time
   * of this world must not outrun them.
   */
  public void creepUntil(String what, BooleanSupplier condition) {
    Await.until(
        what,
        () -> {
          if (condition.getAsBoolean()) {
            return true;
          }
          advanceMillis(1);
          LockSupport.parkNanos(100_000);
          return false;
        });
  }

  private Timer pollDue(long target) {
    lock.lock();
    try {
      Timer next = timers.peek();
      return next == null || next.at - target > 0 ? null : timers.poll();
    } finally {
      lock.unlock();
    }
  }

  private void runAt(Timer due) {
    moveTo(due.at);
    due.task.run();
    runCallbacks();
  }

  private void moveTo(long time) {
    if (time - now > 0) {
      now = time;
      spins = 0;
    }
    for (Parked one : parked) {
      if (one.limited && one.until - now <= 0) {
        LockSupport.unpark(one.thread);
      }
    }
  }

  @Override
  public void park(Object blocker, long nanos) {
    if (Thread.currentThread() == driver) {
      driveOn(blocker, nanos);
      return;
    }
    boolean limited = nanos != Long.MAX_VALUE;
    Parked me = new Parked(Thread.currentThread(), limited, now + nanos);
    parked.add(me);
    try {
      if (!limited || me.until - now > 0) {
        parkInReality(blocker);
      }
    } finally {
      parked.remove(me);
    }
  }

  private void driveOn(Object blocker, long nanos) {
    if (Thread.currentThread().isInterrupted()) {
      if (++spins > MOST_SPINS) {
        Thread.interrupted();
        throw new AssertionError("an interrupted thread parks again and again: " + blocker);
      }
    } else if (!runCallbacks()) {
      long target = now + (nanos == Long.MAX_VALUE ? Duration.ofDays(999).toNanos() : nanos);
      Timer due = pollDue(target);
      if (due != null) {
        runAt(due);
      } else if (nanos != Long.MAX_VALUE) {
        moveTo(target);
      } else {
        parkInReality(blocker);
      }
    }
  }

  private static void parkInReality(Object blocker) {
    long began = System.nanoTime();
    LockSupport.parkNanos(blocker, REAL_BOUND);
    if (System.nanoTime() - began >= REAL_BOUND) {
      throw new AssertionError("no thread woke one that parked on " + blocker);
    }
  }

  /** Returns as soon as this thread waits in {@link #park}. */
  public void awaitParked(Thread thread) {
    Await.until(thread.getName() + " parks", () -> isParked(thread));
  }

  void awaitParkedOrDone(Thread thread) {
    Await.until(thread.getName() + " parks", () -> !thread.isAlive() || isParked(thread));
  }

  private boolean isParked(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        && parked.stream().anyMatch(one -> one.thread == thread);
  }

  @Override
  public Executor callbacks() {
    Supplier<? extends Throwable> refusal = noThreads;
    if (refusal != null) {
      return task -> {
        refusedCallbacks.incrementAndGet();
        throwUnchecked(refusal.get());
      };
    }
    return callbacksOnThreads ? task -> start("callback", task) : queued::add;
  }

  /** From here on there is no thread for a callback; null: there is again. */
  void refuseCallbacks(Supplier<? extends Throwable> refusal) {
    noThreads = refusal;
  }

  /** How often there was no thread for a callback. */
  int refusedCallbacks() {
    return refusedCallbacks.get();
  }

  private static void throwUnchecked(Throwable refusal) {
    if (refusal instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) refusal;
  }

  /** Runs the callbacks that wait; returns whether there were any. */
  public boolean runCallbacks() {
    boolean any = false;
    for (Runnable task = queued.poll(); task != null; task = queued.poll()) {
      any = true;
      task.run();
    }
    return any;
  }

  @Override
  public Thread start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    started.add(thread);
    thread.start();
    return thread;
  }

  /** The threads that were started here and have not ended. */
  public List<Thread> liveThreads() {
    List<Thread> live = new ArrayList<>(started);
    live.removeIf(thread -> !thread.isAlive());
    return live;
  }

  @Override
  public long secret() {
    lock.lock();
    try {
      return random.nextLong();
    } finally {
      lock.unlock();
    }
  }
}
